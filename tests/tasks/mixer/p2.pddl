(define (problem mixer-three) (:domain mixer)
  (:objects a b c - vat)
  (:init (= (volume a) 1) (= (volume b) 2) (= (volume c) 0) (= (most) 8))
  (:goal (and (= (volume a) 2) (= (volume b) 1) (>= (volume c) 5))))

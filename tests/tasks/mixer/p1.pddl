(define (problem mixer-two) (:domain mixer)
  (:objects a b - vat)
  (:init (= (volume a) 2) (= (volume b) 3) (= (most) 20))
  (:goal (and (= (volume a) 9) (= (volume b) 5))))

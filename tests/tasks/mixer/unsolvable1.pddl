; Nothing can grow from a single empty vat.
(define (problem mixer-empty) (:domain mixer)
  (:objects a - vat)
  (:init (= (volume a) 0) (= (most) 8))
  (:goal (> (volume a) 0)))

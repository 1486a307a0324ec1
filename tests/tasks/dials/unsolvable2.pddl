; Steps of two keep the parity: the reading never equals 3.
(define (problem dials-parity) (:domain dials)
  (:objects a - dial)
  (:init (= (reading a) 0) (= (step) 2) (= (top) 9))
  (:goal (= (reading a) 3)))

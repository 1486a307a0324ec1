; No rope and the wells are closed: b is never measured, so `report` always fails for b.
(define (problem survey-blind) (:domain survey)
  (:objects a b - well)
  (:init (= (rope) 0) (= (depth a) 9) (closed))
  (:goal (and (closed) (surveyed b))))

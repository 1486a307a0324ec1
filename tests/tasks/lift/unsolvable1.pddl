; Too heavy for the lift.
(define (problem lift-heavy) (:domain lift)
  (:objects ann - person)
  (:init (= (floor) 0) (= (top) 2) (= (load) 0) (= (most) 2) (= (energy) 0)
         (waiting ann) (= (from ann) 2) (= (to ann) 0) (= (mass ann) 2.5))
  (:goal (and (delivered ann))))

; The host takes chairs only, and the child must have the only chair.
(define (problem seating-crowded) (:domain seating)
  (:objects bo - child stool - chair pew - bench)
  (:init (free host) (free bo) (= (places stool) 1) (= (places pew) 0) (= (age bo) 5) (= (age host) 50))
  (:goal (and (ready) (sits bo stool))))

; 3 10 5 16 8 4 2 1: seven steps, and no shorter way.
(define (problem hailstone-down) (:domain hailstone)
  (:init (= (n) 3) (= (steps) 0) (= (bound) 20))
  (:goal (and (= (n) 1))))

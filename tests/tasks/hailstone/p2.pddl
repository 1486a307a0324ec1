(define (problem hailstone-fraction) (:domain hailstone)
  (:init (= (n) 3) (= (steps) 0) (= (bound) 16))
  (:goal (and (< (n) 0) (> (* 2 (n)) -3)))
  (:metric minimize (steps)))

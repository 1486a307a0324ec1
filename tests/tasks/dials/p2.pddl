; A sum and a product with a constant: a + b = 7 and 2a = 3b + 4, so a = 5, b = 2: optimal length 7.
(define (problem dials-sum) (:domain dials)
  (:objects a b - dial)
  (:init (= (reading a) 0) (= (reading b) 0) (= (step) 1) (= (top) 9))
  (:goal (and (= (+ (reading a) (reading b)) 7) (= (* 2 (reading a)) (+ (* 3 (reading b)) 4)))))

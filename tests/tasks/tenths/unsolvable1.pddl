; 0.33 is no multiple of 0.05.
(define (problem tenths-never) (:domain tenths)
  (:init (= (level) 0) (= (drop) 0.1))
  (:goal (= (level) 0.33)))

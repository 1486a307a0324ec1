(define (problem greenhouse-spring) (:domain greenhouse)
  (:init (= (heat) 19.6) (= (water) 0.3) (= (target) 20.1))
  (:goal (blooming)))

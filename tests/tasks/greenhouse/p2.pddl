(define (problem greenhouse-vent) (:domain greenhouse)
  (:init (= (heat) 21.4) (= (water) 0.8) (= (target) 20.1) (vent-open))
  (:goal (and (blooming) (< (water) 1.3) (> (water) 1.1))))

; 0.35 needs the half drop: seven half drops, or three whole ones and one half.
(define (problem tenths-half) (:domain tenths)
  (:init (= (level) 0.0) (= (drop) 1e-1))
  (:goal (and (= (level) 0.35) (sealed))))

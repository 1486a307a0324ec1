; Optimal: three drips and a seal, 4 steps; binary floating point misses 0.3.
(define (problem tenths-three) (:domain tenths)
  (:init (= (level) 0) (= (drop) 0.1))
  (:goal (and (sealed) (= (level) 0.3))))

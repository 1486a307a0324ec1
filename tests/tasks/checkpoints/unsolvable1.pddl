; The badge for the strict gate is handed out behind it.
(define (problem checkpoints-locked) (:domain checkpoints)
  (:objects g1 g2 - gate blue - badge)
  (:init (next g1 g2) (here g1) (strict g2) (opens blue g2) (= (trust) 0) (= (fee g1) 0) (= (fee g2) 0))
  (:goal (here g2)))

; Only a slack comparison lets the water rise above 1.2, which three times 0.4 reach exactly.
(define (problem greenhouse-wet) (:domain greenhouse)
  (:init (= (heat) 20) (= (water) 0) (= (target) 20.1) (vent-open))
  (:goal (and (> (water) 1.2) (not (= (heat) 20)))))

; The classic: 3 and 5 give 4; optimal length 6.
(define (problem jugs-classic) (:domain jugs)
  (:objects small large - jug)
  (:init (tap) (= (amount small) 0) (= (amount large) 0) (= (size small) 3) (= (size large) 5) (= (wasted) 0))
  (:goal (= (amount large) 4))
  (:metric minimize (wasted)))

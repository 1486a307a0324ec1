; Sizes 4 and 6 never give an odd amount.
(define (problem jugs-even) (:domain jugs)
  (:objects small large - jug)
  (:init (tap) (= (amount small) 0) (= (amount large) 0) (= (size small) 4) (= (size large) 6) (= (wasted) 0))
  (:goal (or (= (amount large) 5) (= (amount small) 3))))

; Share 8 in halves with 5 and 3, no tap; decimals scale everything by a quarter.
(define (problem jugs-halves) (:domain jugs)
  (:objects a b c - jug)
  (:init (= (amount a) 2) (= (amount b) 0) (= (amount c) 0) (= (size a) 2) (= (size b) 1.25) (= (size c) 0.75)
         (= (wasted) 0))
  (:goal (and (= (amount a) 1) (= (amount b) 1))))

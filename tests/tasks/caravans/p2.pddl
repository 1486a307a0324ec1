; Four legs with a capacity of three: the long trail needs a depot.
(define (problem caravans-depot) (:domain caravans)
  (:objects a0 a1 a2 a3 a4 b0 b1 - camp red blue - caravan)
  (:init (trail a0 a1) (trail a1 a2) (trail a2 a3) (trail a3 a4) (trail b0 b1) (at red a0) (at blue b0)
         (= (carried red) 3) (= (carried blue) 1) (= (capacity) 3)
         (= (cached a0) 3) (= (cached a1) 0) (= (cached a2) 0) (= (cached a3) 0) (= (cached a4) 0)
         (= (cached b0) 0) (= (cached b1) 0))
  (:goal (and (at red a4) (at blue b1))))

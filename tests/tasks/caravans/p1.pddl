; Each trail alone needs few steps; together the answer is their sum.
(define (problem caravans-short) (:domain caravans)
  (:objects a0 a1 a2 b0 b1 - camp red blue - caravan)
  (:init (trail a0 a1) (trail a1 a2) (trail b0 b1) (at red a0) (at blue b0)
         (= (carried red) 0) (= (carried blue) 0) (= (capacity) 2)
         (= (cached a0) 2) (= (cached a1) 0) (= (cached a2) 0) (= (cached b0) 1) (= (cached b1) 0))
  (:goal (and (at red a2) (at blue b1))))

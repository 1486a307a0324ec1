; A strictly increasing chain: 0 < 1 < 2, optimal length 3.
(define (problem dials-chain) (:domain dials)
  (:objects a b c - dial)
  (:init (= (reading a) 0) (= (reading b) 0) (= (reading c) 0) (= (step) 1) (= (top) 3))
  (:goal (and (<= (+ (reading a) 1) (reading b)) (<= (+ (reading b) 1) (reading c)))))

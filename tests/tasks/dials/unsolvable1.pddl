; Four dials cannot form a strict chain in 0..2.
(define (problem dials-short) (:domain dials)
  (:objects a b c d - dial)
  (:init (= (reading a) 0) (= (reading b) 0) (= (reading c) 0) (= (reading d) 0) (= (step) 1) (= (top) 2))
  (:goal (and (< (reading a) (reading b)) (< (reading b) (reading c)) (< (reading c) (reading d)))))

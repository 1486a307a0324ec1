; All readings different and none in its place: a disjunction and negated equalities.
(define (problem dials-different) (:domain dials)
  (:objects a b c - dial)
  (:init (= (reading a) 1) (= (reading b) 1) (= (reading c) 1) (= (step) 1) (= (top) 2))
  (:goal (and (not (= (reading a) (reading b))) (not (= (reading b) (reading c))) (not (= (reading a) (reading c)))
              (or (> (reading a) (reading b)) (< (reading c) 1)))))

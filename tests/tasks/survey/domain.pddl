; Undefined fluents: a depth is undefined until measured, and a condition that reads an undefined one fails as a
; whole, even next to a true alternative. The log is never initialised and never read: it counts from 0.
(define (domain survey)
  (:requirements :typing :numeric-fluents :disjunctive-preconditions)
  (:types well)
  (:predicates (dry ?w - well) (surveyed ?w - well) (closed))
  (:functions (depth ?w - well) (rope) (log) (deepest))
  (:action measure
    :parameters (?w - well)
    :precondition (>= (rope) 1)
    :effect (and (assign (depth ?w) (* 2 (rope))) (decrease (rope) 1) (increase (log) 1)))
  (:action deepen
    :parameters (?w - well)
    :precondition (not (closed))
    :effect (and (increase (depth ?w) 3) (increase (log) 1)))
  (:action report
    :parameters (?w - well)
    :precondition (or (dry ?w) (<= (depth ?w) 7))
    :effect (and (surveyed ?w)))
  (:action compare
    :parameters (?a ?b - well)
    :precondition (and (not (= ?a ?b)) (imply (dry ?a) (> (depth ?b) (depth ?a))))
    :effect (and (assign (deepest) (depth ?b)) (decrease (log) 2)))
  (:action close
    :parameters ()
    :precondition (exists (?w - well) (>= (depth ?w) 4))
    :effect (closed)))

; Pouring between jugs: assignments and linear effects; a goal equality.
(define (domain jugs)
  (:requirements :typing :numeric-fluents :equality)
  (:types jug)
  (:predicates (tap))
  (:functions (amount ?j - jug) (size ?j - jug) (wasted))
  (:action fill
    :parameters (?j - jug)
    :precondition (and (tap) (< (amount ?j) (size ?j)))
    :effect (assign (amount ?j) (size ?j)))
  (:action empty
    :parameters (?j - jug)
    :precondition (> (amount ?j) 0)
    :effect (and (assign (amount ?j) 0) (increase (wasted) (amount ?j))))
  (:action pour-all
    :parameters (?a ?b - jug)
    :precondition (and (not (= ?a ?b)) (> (amount ?a) 0) (<= (+ (amount ?a) (amount ?b)) (size ?b)))
    :effect (and (assign (amount ?a) 0) (increase (amount ?b) (amount ?a))))
  (:action pour-part
    :parameters (?a ?b - jug)
    :precondition (and (not (= ?a ?b)) (< (amount ?b) (size ?b)) (> (+ (amount ?a) (amount ?b)) (size ?b)))
    :effect (and (decrease (amount ?a) (- (size ?b) (amount ?b))) (assign (amount ?b) (size ?b)))))

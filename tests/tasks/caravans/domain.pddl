; Two disjoint trails with their own caravans: independent components. Supplies are cached along the way.
(define (domain caravans)
  (:requirements :typing :numeric-fluents)
  (:types camp caravan)
  (:predicates (trail ?a ?b - camp) (at ?c - caravan ?w - camp))
  (:functions (carried ?c - caravan) (cached ?w - camp) (capacity))
  (:action advance
    :parameters (?c - caravan ?a ?b - camp)
    :precondition (and (at ?c ?a) (trail ?a ?b) (>= (carried ?c) 1))
    :effect (and (not (at ?c ?a)) (at ?c ?b) (decrease (carried ?c) 1)))
  (:action return
    :parameters (?c - caravan ?a ?b - camp)
    :precondition (and (at ?c ?b) (trail ?a ?b) (>= (carried ?c) 1))
    :effect (and (not (at ?c ?b)) (at ?c ?a) (decrease (carried ?c) 1)))
  (:action cache
    :parameters (?c - caravan ?a - camp)
    :precondition (and (at ?c ?a) (>= (carried ?c) 1))
    :effect (and (increase (cached ?a) 1) (decrease (carried ?c) 1)))
  (:action collect
    :parameters (?c - caravan ?a - camp)
    :precondition (and (at ?c ?a) (>= (cached ?a) 1) (> (capacity) (carried ?c)))
    :effect (and (increase (carried ?c) 1) (decrease (cached ?a) 1))))

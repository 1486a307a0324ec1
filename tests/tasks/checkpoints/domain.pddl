; Disjunctions, implications and quantifiers in preconditions; numbers inside them.
(define (domain checkpoints)
  (:requirements :adl :typing :numeric-fluents)
  (:types gate badge)
  (:predicates (next ?a ?b - gate) (here ?g - gate) (owns ?b - badge) (opens ?b - badge ?g - gate) (strict ?g - gate))
  (:functions (trust) (fee ?g - gate))
  (:action pass
    :parameters (?a ?b - gate)
    :precondition (and (here ?a)
                       (or (next ?a ?b) (and (next ?b ?a) (>= (trust) 2)))
                       (imply (strict ?b) (exists (?x - badge) (and (owns ?x) (opens ?x ?b))))
                       (or (>= (trust) (fee ?b)) (forall (?x - badge) (owns ?x))))
    :effect (and (not (here ?a)) (here ?b)))
  (:action chat
    :parameters (?g - gate)
    :precondition (and (here ?g) (not (strict ?g)) (not (> (trust) 2)))
    :effect (increase (trust) 1))
  (:action collect
    :parameters (?x - badge ?g - gate)
    :precondition (and (here ?g) (opens ?x ?g) (not (owns ?x)) (or (not (strict ?g)) (= (trust) 3)))
    :effect (and (owns ?x) (decrease (trust) 1))))

; Mixed logic and numbers. The charge of a machine is undefined until it is built. `busy` is a predicate and a
; function. Two counters are only ever increased; one of them is never initialised.
(define (domain lab)
  (:requirements :typing :numeric-fluents :negative-preconditions)
  (:types room machine robot - object  sample)
  (:constants store - room)
  (:predicates (door ?a ?b - room) (in ?r - robot ?a - room) (built ?m - machine) (placed ?m - machine ?a - room)
               (analysed ?s - sample) (busy ?r - robot) (alarm))
  (:functions (charge ?m - machine) (busy ?r - robot) (battery ?r - robot) (parts) (moves) (noise))
  (:action go
    :parameters (?r - robot ?a ?b - room)
    :precondition (and (in ?r ?a) (or (door ?a ?b) (door ?b ?a)) (>= (battery ?r) 1) (not (alarm)))
    :effect (and (not (in ?r ?a)) (in ?r ?b) (decrease (battery ?r) 1) (increase (moves) 1)))
  (:action build
    :parameters (?r - robot ?m - machine ?a - room)
    :precondition (and (in ?r ?a) (not (= ?a store)) (not (built ?m)) (>= (parts) 2) (not (busy ?r)))
    :effect (and (built ?m) (placed ?m ?a) (assign (charge ?m) 2) (decrease (parts) 2) (busy ?r)
                 (increase (noise) 5)))
  (:action rest
    :parameters (?r - robot)
    :precondition (and (in ?r store) (<= (battery ?r) 3))
    :effect (and (not (busy ?r)) (assign (battery ?r) 4) (increase (busy ?r) 1)))
  (:action analyse
    :parameters (?r - robot ?m - machine ?a - room ?s - sample)
    :precondition (and (in ?r ?a) (placed ?m ?a) (>= (charge ?m) 1))
    :effect (and (analysed ?s) (decrease (charge ?m) 1) (increase (noise) 1))))

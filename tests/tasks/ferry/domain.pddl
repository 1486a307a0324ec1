; Boats, cargo and fuel: products of static fluents, assignment of a static one, a strict pump condition,
; legs whose length is undefined, legs of length 0.
(define (domain ferry)
  (:requirements :typing :numeric-fluents)
  (:types dock boat crate)
  (:predicates (leg ?a ?b - dock) (moored ?b - boat ?d - dock) (stored ?c - crate ?d - dock)
               (loaded ?c - crate ?b - boat) (pump ?d - dock))
  (:functions (length ?a ?b - dock) (burn ?b - boat) (fuel ?b - boat) (tank ?b - boat)
              (aboard ?b - boat) (limit ?b - boat) (size ?c - crate) (burnt))
  (:action sail
    :parameters (?b - boat ?from ?to - dock)
    :precondition (and (moored ?b ?from) (leg ?from ?to) (>= (fuel ?b) (* (length ?from ?to) (burn ?b))))
    :effect (and (not (moored ?b ?from)) (moored ?b ?to)
                 (decrease (fuel ?b) (* (length ?from ?to) (burn ?b)))
                 (increase (burnt) (* (length ?from ?to) (burn ?b)))))
  (:action refuel
    :parameters (?b - boat ?d - dock)
    :precondition (and (moored ?b ?d) (pump ?d) (> (tank ?b) (fuel ?b)))
    :effect (and (assign (fuel ?b) (tank ?b))))
  (:action load
    :parameters (?c - crate ?b - boat ?d - dock)
    :precondition (and (moored ?b ?d) (stored ?c ?d) (<= (+ (aboard ?b) (size ?c)) (limit ?b)))
    :effect (and (not (stored ?c ?d)) (loaded ?c ?b) (increase (aboard ?b) (size ?c))))
  (:action unload
    :parameters (?c - crate ?b - boat ?d - dock)
    :precondition (and (moored ?b ?d) (loaded ?c ?b))
    :effect (and (stored ?c ?d) (not (loaded ?c ?b)) (decrease (aboard ?b) (size ?c)))))

; Pick apples into a basket and empty it into crates before it overflows.
(define (domain orchard)
  (:requirements :typing :numeric-fluents :action-costs)
  (:types place - object
          tree crate - place)
  (:predicates (at ?p - place))
  (:functions (ripe ?t - tree)            ; apples still on the tree
              (stored ?c - crate)         ; apples in the crate
              (basket)                    ; apples in the basket
              (capacity)                  ; how many the basket holds
              (distance ?from ?to - place)
              (walked))

  (:action walk
    :parameters (?from ?to - place)
    :precondition (and (at ?from) (not (= ?from ?to)))
    :effect (and (not (at ?from)) (at ?to) (increase (walked) (distance ?from ?to))))

  (:action pick
    :parameters (?t - tree)
    :precondition (and (at ?t) (>= (ripe ?t) 1) (<= (+ (basket) 1) (capacity)))
    :effect (and (decrease (ripe ?t) 1) (increase (basket) 1)))

  (:action empty
    :parameters (?c - crate)
    :precondition (and (at ?c) (> (basket) 0))
    :effect (and (increase (stored ?c) (basket)) (assign (basket) 0))))

; Stalls with decimal prices, a fee of 5 per cent, goods that are never in stock.
(define (domain barter)
  (:requirements :typing :numeric-fluents)
  (:types stall good)
  (:predicates (at ?s - stall) (path ?a ?b - stall))
  (:functions (price ?g - good ?s - stall) (stock ?g - good ?s - stall) (held ?g - good) (cash) (room))
  (:action walk
    :parameters (?a ?b - stall)
    :precondition (and (at ?a) (path ?a ?b) (>= (cash) 0.1))
    :effect (and (not (at ?a)) (at ?b) (decrease (cash) 0.1)))
  (:action buy
    :parameters (?g - good ?s - stall)
    :precondition (and (at ?s) (> (stock ?g ?s) 0) (<= (* 1.05 (price ?g ?s)) (cash)) (>= (room) 1))
    :effect (and (decrease (stock ?g ?s) 1) (decrease (cash) (* 1.05 (price ?g ?s)))
                 (increase (held ?g) 1) (decrease (room) 1)))
  (:action sell
    :parameters (?g - good ?s - stall)
    :precondition (and (at ?s) (>= (held ?g) 1))
    :effect (and (decrease (held ?g) 1) (increase (cash) (price ?g ?s)) (increase (room) 1))))

; Object equality, `either`, type `object`, a hierarchy of types; hardly any numbers.
(define (domain seating)
  (:requirements :typing :equality :numeric-fluents)
  (:types adult child - person  person  chair bench - seat  seat)
  (:constants host - adult)
  (:predicates (sits ?p - person ?s - (either chair bench)) (taken ?s - seat) (free ?p - person) (ready) (noted ?x))
  (:functions (age ?p - person) (places ?s - seat))
  (:action sit
    :parameters (?p - person ?s - (either bench chair))
    :precondition (and (free ?p) (>= (places ?s) 1) (not (= ?p host)))
    :effect (and (sits ?p ?s) (not (free ?p)) (decrease (places ?s) 1)))
  (:action swap
    :parameters (?p ?q - person ?s ?t - seat)
    :precondition (and (sits ?p ?s) (sits ?q ?t) (not (= ?s ?t)) (not (= ?p ?q)) (<= (age ?p) (age ?q)))
    :effect (and (not (sits ?p ?s)) (not (sits ?q ?t)) (sits ?p ?t) (sits ?q ?s)))
  (:action host-sits
    :parameters (?s - chair)
    :precondition (and (free host) (forall (?p - person) (or (= ?p host) (not (free ?p)))) (>= (places ?s) 1))
    :effect (and (sits host ?s) (not (free host)) (ready) (decrease (places ?s) 1)))
  (:action note
    :parameters (?x)
    :precondition (and (ready) (not (noted ?x)))
    :effect (noted ?x)))

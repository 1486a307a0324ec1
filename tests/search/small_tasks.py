"""Tiny tasks that together use facts, numbers, disjunctions, conditional effects, metrics and jumps."""

from __future__ import annotations

from pathlib import Path

COUNTER = (
    """(define (domain counter) (:functions (x))
    (:action up :parameters () :precondition (< (x) 9) :effect (increase (x) 1))
    (:action down :parameters () :precondition (> (x) 0) :effect (decrease (x) 1)))""",
    """(define (problem counter-5) (:domain counter) (:init (= (x) 0)) (:goal (= (x) 5)))""",
)

# A jump of two burns is not possible without refuelling in between.
BURN = (
    """(define (domain burn) (:functions (fuel) (done))
    (:action burn :parameters () :precondition (>= (fuel) 1) :effect (and (decrease (fuel) 1) (increase (done) 1)))
    (:action fill :parameters () :precondition (<= (fuel) 0) :effect (increase (fuel) 1)))""",
    """(define (problem burn-2) (:domain burn) (:init (= (fuel) 1) (= (done) 0)) (:goal (>= (done) 2)))""",
)

DELIVERY = (
    """(define (domain delivery) (:types place parcel - object)
    (:predicates (road ?a ?b - place) (truck-at ?p - place) (at ?x - parcel ?p - place) (loaded ?x - parcel))
    (:functions (load) (weight ?x - parcel) (total-cost))
    (:action drive :parameters (?a ?b - place) :precondition (and (truck-at ?a) (road ?a ?b))
      :effect (and (not (truck-at ?a)) (truck-at ?b) (increase (total-cost) 3)))
    (:action pick :parameters (?x - parcel ?p - place)
      :precondition (and (truck-at ?p) (at ?x ?p) (<= (+ (load) (weight ?x)) 4))
      :effect (and (not (at ?x ?p)) (loaded ?x) (increase (load) (weight ?x)) (increase (total-cost) 1)))
    (:action drop :parameters (?x - parcel ?p - place) :precondition (and (truck-at ?p) (loaded ?x))
      :effect (and (at ?x ?p) (not (loaded ?x)) (decrease (load) (weight ?x)) (increase (total-cost) 1))))""",
    """(define (problem three-parcels) (:domain delivery)
    (:objects a b c - place p q r - parcel)
    (:init (road a b) (road b a) (road b c) (road c b) (truck-at a) (at p a) (at q a) (at r b)
      (= (weight p) 2) (= (weight q) 3) (= (weight r) 1.5) (= (load) 0) (= (total-cost) 0))
    (:goal (and (at p c) (at q c) (at r a))) (:metric minimize (total-cost)))""",
)

CHOICE = (
    """(define (domain choice) (:predicates (lit) (armed) (safe)) (:functions (level))
    (:action arm :parameters () :precondition (not (armed)) :effect (and (armed) (assign (level) 2)))
    (:action raise :parameters () :precondition (or (armed) (safe))
      :effect (and (increase (level) 3) (when (>= (level) 5) (lit)) (when (not (lit)) (safe)))))""",
    """(define (problem choose) (:domain choice) (:init (= (level) 0))
    (:goal (and (lit) (or (>= (level) 8) (and (safe) (< (level) 0))))))""",
)

LINEAR = (
    """(define (domain linear) (:functions (position) (speed))
    (:action faster :parameters () :precondition (< (speed) 3) :effect (increase (speed) 1))
    (:action slower :parameters () :precondition (> (speed) -3) :effect (decrease (speed) 1))
    (:action move :parameters () :precondition (and (<= (+ (position) (speed)) 4) (>= (+ (position) (speed)) -2))
      :effect (increase (position) (* 0.5 (speed)))))""",
    """(define (problem park) (:domain linear) (:init (= (position) 0) (= (speed) 0))
    (:goal (and (>= (position) 2.5) (= (speed) 0))))""",
)

# From 0 in steps of two: never an odd number, and no relaxation of these heuristics can tell.
PARITY = (
    """(define (domain parity) (:types counter) (:functions (value ?c - counter))
    (:action up :parameters (?c - counter) :effect (increase (value ?c) 2))
    (:action down :parameters (?c - counter) :effect (decrease (value ?c) 2)))""",
    """(define (problem odd) (:domain parity) (:objects a b c d e f - counter)
    (:init (= (value a) 0) (= (value b) 0) (= (value c) 0) (= (value d) 0) (= (value e) 0) (= (value f) 0))
    (:goal (= (value a) 7)))""",
)

# Seen to be unsolvable only by looking at every state.
UNSOLVABLE = (
    """(define (domain parity) (:functions (x))
    (:action up :parameters () :precondition (<= (x) 6) :effect (increase (x) 2))
    (:action down :parameters () :precondition (>= (x) 2) :effect (decrease (x) 2)))""",
    """(define (problem odd) (:domain parity) (:init (= (x) 0)) (:goal (= (x) 3)))""",
)

# Seen to be unsolvable by grounding: nothing reaches b.
UNREACHABLE = (
    """(define (domain nowhere) (:predicates (a) (b) (c))
    (:action go :parameters () :precondition (b) :effect (c)))""",
    """(define (problem never) (:domain nowhere) (:init (a)) (:goal (c)))""",
)

# A space without an end, and no way to the goal that a search could find: for limits and signals.
ENDLESS = (
    """(define (domain endless) (:functions (x) (y) (z))
    (:action a :parameters () :effect (and (increase (x) 3) (decrease (y) 5)))
    (:action b :parameters () :effect (and (increase (y) 7) (decrease (z) 3)))
    (:action c :parameters () :effect (and (increase (z) 5) (decrease (x) 7)))
    (:action d :parameters () :effect (and (decrease (x) 2) (decrease (y) 2) (decrease (z) 2))))""",
    """(define (problem never-ends) (:domain endless) (:init (= (x) 0) (= (y) 0) (= (z) 0))
    (:goal (and (>= (+ (x) (+ (y) (z))) 1) (<= (+ (x) (+ (y) (z))) -1))))""",
)

SOLVABLE = {"counter": COUNTER, "burn": BURN, "delivery": DELIVERY, "choice": CHOICE, "linear": LINEAR}


def write(task: tuple[str, str], folder: Path) -> tuple[Path, Path]:
    """The task as two files."""
    domain, problem = folder / "domain.pddl", folder / "problem.pddl"
    domain.write_text(task[0])
    problem.write_text(task[1])
    return domain, problem

; A rail cart: the position grows by 1.5 times the speed; it may stop only slowly and inside the platform.
(define (domain cart)
  (:requirements :typing :fluents :negative-preconditions)
  (:types cart platform)
  (:predicates (stopped ?c - cart) (served ?p - platform))
  (:functions (position ?c - cart) (speed ?c - cart) (start ?p - platform) (width) (end-of-track))
  (:action roll
    :parameters (?c - cart)
    :precondition (and (not (stopped ?c)) (<= (+ (position ?c) (* 1.5 (speed ?c))) (end-of-track)))
    :effect (and (increase (position ?c) (* 1.5 (speed ?c)))))
  (:action back
    :parameters (?c - cart)
    :precondition (and (not (stopped ?c)) (>= (- (position ?c) (* 0.5 (speed ?c))) 0))
    :effect (and (decrease (position ?c) (* 0.5 (speed ?c)))))
  (:action faster
    :parameters (?c - cart)
    :precondition (and (not (stopped ?c)) (<= (speed ?c) 2))
    :effect (and (increase (speed ?c) 1)))
  (:action slower
    :parameters (?c - cart)
    :precondition (and (not (stopped ?c)) (>= (speed ?c) 1))
    :effect (and (decrease (speed ?c) 1)))
  (:action serve
    :parameters (?c - cart ?p - platform)
    :precondition (and (<= (speed ?c) 0) (>= (position ?c) (start ?p))
                       (<= (- (position ?c) (start ?p)) (width)))
    :effect (and (served ?p)))
  (:action park
    :parameters (?c - cart)
    :precondition (and (= (speed ?c) 0))
    :effect (and (stopped ?c))))

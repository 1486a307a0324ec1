; Load boats and let them sail with the tide. Quantifiers, disjunction, negation and conditional effects.
(define (domain harbour)
  (:requirements :typing :numeric-fluents :adl)
  (:types boat cargo)
  (:predicates (moored ?b - boat) (aboard ?c - cargo ?b - boat) (stowed ?c - cargo) (night))
  (:functions (weight ?c - cargo) (load ?b - boat) (limit ?b - boat) (tide))

  (:action stow
    :parameters (?c - cargo ?b - boat)
    :precondition (and (moored ?b) (not (stowed ?c)) (<= (+ (load ?b) (weight ?c)) (limit ?b)))
    :effect (and (stowed ?c) (aboard ?c ?b) (increase (load ?b) (weight ?c))))

  (:action wait
    :parameters ()
    :effect (and (increase (tide) 0.5)
                 (when (not (night)) (night))
                 (when (night) (not (night)))))

  (:action sail
    :parameters (?b - boat)
    :precondition (and (moored ?b) (exists (?c - cargo) (aboard ?c ?b))
                       (or (not (night)) (<= (load ?b) 2))
                       (>= (tide) (* 0.5 (load ?b))))
    :effect (and (not (moored ?b)) (forall (?other - boat) (when (moored ?other) (increase (limit ?other) 0.25))))))

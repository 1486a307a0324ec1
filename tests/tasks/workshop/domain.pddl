; Recipes on a static ternary relation; sums in the goal; a useless by-product.
(define (domain workshop)
  (:requirements :typing :numeric-fluents)
  (:types material)
  (:predicates (source ?m - material) (recipe ?a ?b ?c - material))
  (:functions (have ?m - material) (need ?a ?b - material) (shelf) (dust))
  (:action gather
    :parameters (?m - material)
    :precondition (and (source ?m) (< (have ?m) (shelf)))
    :effect (and (increase (have ?m) 1)))
  (:action make
    :parameters (?a ?b ?c - material)
    :precondition (and (recipe ?a ?b ?c) (>= (have ?a) (need ?a ?c)) (>= (have ?b) (need ?b ?c))
                       (<= (+ (have ?c) 2) (shelf)))
    :effect (and (decrease (have ?a) (need ?a ?c)) (decrease (have ?b) (need ?b ?c))
                 (increase (have ?c) 2) (increase (dust) 3))))

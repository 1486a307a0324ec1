; Dials with values between 0 and top; chain, sum and difference goals.
(define (domain dials)
  (:requirements :typing :numeric-fluents)
  (:types dial)
  (:functions (reading ?d - dial) (step) (top))
  (:action turn-up
    :parameters (?d - dial)
    :precondition (and (<= (+ (reading ?d) (step)) (top)))
    :effect (and (increase (reading ?d) (step))))
  (:action turn-down
    :parameters (?d - dial)
    :precondition (and (>= (reading ?d) (step)))
    :effect (and (decrease (reading ?d) (step)))))

(define (domain adversary)
  (:predicates (used-a1 ?a))
  (:functions (f0 ?a))
  (:action a0
    :parameters (?a)
    :precondition (and)
    :effect (scale-up (f0 ?a) 0))
  (:action a1
    :parameters (?a)
    :precondition (and)
    :effect (and (increase (f0 ?a) 0) (used-a1 ?a)))
)

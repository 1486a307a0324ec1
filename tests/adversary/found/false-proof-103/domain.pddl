(define (domain adversary)
  (:functions (p0 ?a))
  (:action a0
    :parameters (?a)
    :precondition (and)
    :effect (and (scale-down (p0 ?a) 1) (scale-up (p0 ?a) 0)))
)

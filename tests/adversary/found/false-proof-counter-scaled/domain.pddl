(define (domain adversary)
  (:predicates (p0))
  (:functions (f0))
  (:action a0
    :parameters ()
    :precondition (and)
    :effect (and (scale-down (f0) 1) (p0)))
)

(define (domain adversary)
  (:predicates (p0) (used-a2))
  (:functions (f0))
  (:action a2
    :parameters ()
    :precondition (and)
    :effect (and (when (not (p0)) (decrease (f0) (f0))) (used-a2)))
)

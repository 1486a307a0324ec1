(define (domain adversary)
  (:predicates (p0))
  (:functions (cost))
  (:action a0
    :parameters ()
    :precondition (and)
    :effect (and (not (p0)) (increase (cost) 1e39)))
)

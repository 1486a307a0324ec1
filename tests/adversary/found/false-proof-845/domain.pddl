(define (domain adversary)
  (:predicates (used-a0 ?a))
  (:functions (p0 ?a))
  (:action a0
    :parameters (?a)
    :precondition (and)
    :effect (and (forall (?x) (scale-up (p0 ?x) 0)) (used-a0 ?a)))
)

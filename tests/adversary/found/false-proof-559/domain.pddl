(define (domain adversary)
  (:constants o0)
  (:predicates (p0) (used-a1 ?a))
  (:functions (f0 ?a))
  (:action a0
    :parameters ()
    :precondition (and)
    :effect (not (p0)))
  (:action a1
    :parameters (?a)
    :precondition (and)
    :effect (and (when (p0) (decrease (f0 o0) 4)) (used-a1 ?a)))
  (:action a2
    :parameters ()
    :precondition (and)
    :effect (forall (?x) (when (= (f0 ?x) 6) (increase (f0 ?x) 0))))
)

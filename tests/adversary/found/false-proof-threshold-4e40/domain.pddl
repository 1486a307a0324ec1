(define (domain adversary)
  (:functions (f0))
  (:action a0
    :parameters ()
    :precondition (and)
    :effect (increase (f0) 1))
)

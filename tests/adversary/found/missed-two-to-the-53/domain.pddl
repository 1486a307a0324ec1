(define (domain adversary)
  (:functions (f0))
  (:action a0
    :parameters ()
    :precondition (and)
    :effect (assign (f0) 9007199254740993))
)

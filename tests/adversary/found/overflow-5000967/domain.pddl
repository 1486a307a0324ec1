(define (domain adversary)
  (:functions (f0))
  (:action a1
    :parameters ()
    :precondition (and)
    :effect (and (decrease (f0) 0) (assign (f0) -10000000000000000000000000)))
)

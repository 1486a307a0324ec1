(define (domain adversary)
  (:predicates (next ?p ?q))
  (:functions (k0 ?p) (k1 ?p) (k2 ?p) (k3 ?p) (k4 ?p) (k5 ?p) (k6 ?p) (k7 ?p) (k8 ?p) (k9 ?p))
  (:action make
    :parameters (?p ?q)
    :precondition (and (next ?p ?q) (>= (k1 ?p) 1) (>= (k5 ?p) 1) (>= (k6 ?p) 1) (>= (k7 ?p) 1) (>= (k8 ?p) 1) (>= (k9 ?p) 1))
    :effect (and (assign (k0 ?q) 1) (assign (k1 ?q) 1) (assign (k2 ?q) 1) (assign (k3 ?q) 1) (assign (k4 ?q) 1) (assign (k5 ?q) 1) (assign (k6 ?q) 1) (assign (k7 ?q) 1) (assign (k8 ?q) 1) (assign (k9 ?q) 1)))
)

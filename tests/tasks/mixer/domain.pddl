; Simultaneous effects: x += y together with y += x, exchanges, x := 2y - 1, and two parameters on one object.
(define (domain mixer)
  (:types vat)
  (:functions (volume ?v - vat) (most))
  (:action blend
    :parameters (?a ?b - vat)
    :precondition (and (<= (+ (volume ?a) (volume ?b)) (most)))
    :effect (and (increase (volume ?a) (volume ?b)) (increase (volume ?b) (volume ?a))))
  (:action exchange
    :parameters (?a ?b - vat)
    :precondition (and (not (= (volume ?a) (volume ?b))))
    :effect (and (assign (volume ?a) (volume ?b)) (assign (volume ?b) (volume ?a))))
  (:action stretch
    :parameters (?a ?b - vat)
    :precondition (and (not (= ?a ?b)) (<= (- (* 2 (volume ?b)) 1) (most)) (>= (volume ?b) 1))
    :effect (assign (volume ?a) (- (* 2 (volume ?b)) 1)))
  (:action drain
    :parameters (?a ?b - vat)
    :precondition (and (>= (- (volume ?a) (volume ?b)) 0) (>= (volume ?b) 1))
    :effect (and (decrease (volume ?a) (volume ?b)) (increase (volume ?b) 0))))

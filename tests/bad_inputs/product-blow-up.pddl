(define (domain courier)
  (:types van parcel - thing thing place)
  (:constants hub - place)
  (:predicates (at ?t - thing ?p - place) (in ?p - parcel ?v - van) (road ?a ?b - place))
  (:functions (fuel ?v - van) (distance ?a ?b - place) (weight ?p - parcel) (total-cost) - number)

  (:action drive
    :parameters (?v - van ?a ?b - place)
    :precondition (and (at ?v ?a) (road ?a ?b) (>= (fuel ?v) (distance ?a ?b)))
    :effect (and (not (at ?v ?a)) (at ?v ?b)
                 (decrease (fuel ?v) (distance ?a ?b)) (increase (total-cost)
                    (* (+ (fuel ?v) 0) (+ (fuel ?v) 1) (+ (fuel ?v) 2) (+ (fuel ?v) 3) (+ (fuel ?v) 4) (+ (fuel ?v) 5) (+ (fuel ?v) 6) (+ (fuel ?v) 7) (+ (fuel ?v) 8) (+ (fuel ?v) 9) (+ (fuel ?v) 10) (+ (fuel ?v) 11) (+ (fuel ?v) 12) (+ (fuel ?v) 13) (+ (fuel ?v) 14) (+ (fuel ?v) 15) (+ (fuel ?v) 16) (+ (fuel ?v) 17) (+ (fuel ?v) 18) (+ (fuel ?v) 19) (+ (fuel ?v) 20) (+ (fuel ?v) 21) (+ (fuel ?v) 22) (+ (fuel ?v) 23) (+ (fuel ?v) 24) (+ (fuel ?v) 25) (+ (fuel ?v) 26) (+ (fuel ?v) 27) (+ (fuel ?v) 28) (+ (fuel ?v) 29) (+ (fuel ?v) 30) (+ (fuel ?v) 31) (+ (fuel ?v) 32) (+ (fuel ?v) 33) (+ (fuel ?v) 34) (+ (fuel ?v) 35) (+ (fuel ?v) 36) (+ (fuel ?v) 37) (+ (fuel ?v) 38) (+ (fuel ?v) 39)))))

  (:action load
    :parameters (?p - parcel ?v - van ?l - place)
    :precondition (and (at ?p ?l) (at ?v ?l) (<= (weight ?p) 20))
    :effect (and (not (at ?p ?l)) (in ?p ?v)))
)

(define (domain courier)
  (:types van parcel - thing thing place)
  (:constants hub - place)
  (:predicates (at ?t - thing ?p - place) (in ?p - parcel ?v - van) (road ?a ?b - place))
  (:functions (fuel ?v - van) (distance ?a ?b - place) (weight ?p - parcel) (total-cost) - number)

  (:action drive
    :parameters (?v - van ?a ?b - place)
    :precondition (and (at ?v ?a) (road ?a ?b) (>= (fuel ?v) (distance ?a ?b)))
    :effect (and (not (at ?v ?a)) (at ?v ?b)
                 (decrease (fuel ?v) (distance ?a ?b)) (increase (total-cost) 1)))

  (:action load
    :parameters (?p - parcel ?v - van ?l - place)
    :preconditions (and (at ?p ?l) (at ?v ?l) (<= (weight ?p) 20))
    :effect (and (not (at ?p ?l)) (in ?p ?v)))
)

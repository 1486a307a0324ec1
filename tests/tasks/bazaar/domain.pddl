   ;; Ugly on purpose: sections out of order, glued dashes and brackets, comments inside lists, mixed case,
;; undeclared supertypes, missing and bare preconditions, unused and overloaded names, names that look reserved.
   ( DEFINE (Domain BAZAAR);-- the end of this line is a comment
 (:action Restock :parameters(?g -good)
     :effect (and(increase(stock ?G)2)(increase (time)0.5)))
 (:functions (stock ?g -good)(coins ?w) ;; - number ;;
    (weight ?g - good) - number (time)(name) (unused ?a ?b -place))
 (:types donkey cart -carrier  stall -place   ; places and carriers are nowhere declared
   good
 )
 (:predicates (at ?c -carrier ?p -place)(stock ?g -good) (value) ; (commented ?out)
   (Idle ?c - carrier))
 (:action travel :parameters(?c -carrier ?from ?to -place)
   :precondition(at ?c ?from)
   :effect (and(not(at ?c ?FROM))(at ?c ?to)(increase (time) 1)))
 (:action Purchase
   :parameters (?c - donkey ?g - good ?p - stall )
   :precondition (AND (at ?c ?p)(>(stock ?g)0)(>=(coins ?c)(* 1.5(weight ?g)))()(and))
   :effect ( and (decrease (stock ?g)1)
        (decrease (coins ?c) (* 1.50 (weight ?g)))   (Stock ?g) ))
 (:action brag :parameters () :precondition (< (name) 1) :effect (and (value) (increase (name) 1)))
 (:action hide :parameters () :precondition (>=(name)1) :effect (not (VALUE))))

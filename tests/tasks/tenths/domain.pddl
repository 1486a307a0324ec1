; Exactness: ten times 0.1 is 1, and three times 0.1 is 0.3.
(define (domain tenths)
  (:requirements :strips :fluents)
  (:predicates (sealed))
  (:functions (level) (drop))
  (:action drip
    :parameters ()
    :precondition (and (not (sealed)) (< (level) 2.05))
    :effect (increase (level) (drop)))
  (:action halve-drop
    :parameters ()
    :precondition (> (drop) 0.05)
    :effect (assign (drop) (/ (drop) 2)))
  (:action seal
    :parameters ()
    :precondition (not (sealed))
    :effect (sealed)))

; Measure an amount of water with unmarked jugs. What a pour moves depends on the state: linear numeric planning.
(define (domain jugs)
  (:requirements :typing :numeric-fluents)
  (:types jug)
  (:functions (level ?j - jug) (capacity ?j - jug))

  (:action fill
    :parameters (?j - jug)
    :precondition (< (level ?j) (capacity ?j))
    :effect (assign (level ?j) (capacity ?j)))

  (:action spill
    :parameters (?j - jug)
    :precondition (> (level ?j) 0)
    :effect (assign (level ?j) 0))

  (:action pour-all
    :parameters (?from ?to - jug)
    :precondition (and (not (= ?from ?to)) (> (level ?from) 0)
                       (<= (+ (level ?from) (level ?to)) (capacity ?to)))
    :effect (and (increase (level ?to) (level ?from)) (assign (level ?from) 0)))

  (:action top-up
    :parameters (?from ?to - jug)
    :precondition (and (not (= ?from ?to)) (> (+ (level ?from) (level ?to)) (capacity ?to)))
    :effect (and (decrease (level ?from) (- (capacity ?to) (level ?to))) (assign (level ?to) (capacity ?to)))))

; Linear effects: a wheel turns by the gear, which starts at 0. The cost is never initialised.
(define (domain gears)
  (:types wheel)
  (:functions (angle ?w - wheel) (gear ?w - wheel) (limit) (total-cost))
  (:action advance
    :parameters (?w - wheel)
    :precondition (and (<= (+ (angle ?w) (gear ?w)) (limit)))
    :effect (and (increase (angle ?w) (gear ?w)) (increase (total-cost) 1)))
  (:action retreat
    :parameters (?w - wheel)
    :precondition (and (>= (- (angle ?w) (gear ?w)) 0))
    :effect (and (decrease (angle ?w) (gear ?w)) (increase (total-cost) 1)))
  (:action shift-up
    :parameters (?w - wheel)
    :precondition (and (<= (+ (gear ?w) 1) 3))
    :effect (and (increase (gear ?w) 1) (increase (total-cost) 2)))
  (:action shift-down
    :parameters (?w - wheel)
    :precondition (and (>= (gear ?w) 1))
    :effect (and (decrease (gear ?w) 1) (increase (total-cost) 2))))

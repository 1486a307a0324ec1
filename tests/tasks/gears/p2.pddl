(define (problem gears-two) (:domain gears)
  (:objects w1 w2 - wheel)
  (:init (= (angle w1) 0) (= (gear w1) 0) (= (angle w2) 5) (= (gear w2) 2) (= (limit) 6))
  (:goal (and (= (angle w1) (- (angle w2) 1)) (>= (angle w1) 2))))

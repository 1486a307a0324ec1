; Gear 0 at first: shift up before turning.
(define (problem gears-one) (:domain gears)
  (:objects w1 - wheel)
  (:init (= (angle w1) 0) (= (gear w1) 0) (= (limit) 12))
  (:goal (and (= (angle w1) 7) (= (gear w1) 0)))
  (:metric minimize (total-cost)))

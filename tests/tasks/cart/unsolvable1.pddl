; Positions are multiples of one half; the platform spans 5.1 to 5.4.
(define (problem cart-between) (:domain cart)
  (:objects c - cart p - platform)
  (:init (= (position c) 0) (= (speed c) 0) (= (start p) 5.1) (= (width) 0.3) (= (end-of-track) 9))
  (:goal (served p)))

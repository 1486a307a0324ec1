(define (problem cart-near) (:domain cart)
  (:objects c - cart p - platform)
  (:init (= (position c) 0) (= (speed c) 0) (= (start p) 5) (= (width) 0.5) (= (end-of-track) 9))
  (:goal (and (served p) (stopped c))))

(define (problem cart-two) (:domain cart)
  (:objects c - cart p q - platform)
  (:init (= (position c) 2) (= (speed c) 1) (= (start p) 0.25) (= (start q) 7) (= (width) 0.25) (= (end-of-track) 8))
  (:goal (and (served p) (served q))))

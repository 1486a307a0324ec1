; As p1, but a tenth more than can be had.
(define (problem barter-greedy) (:domain barter)
  (:objects a b - stall fig date - good)
  (:init (at a) (path a b) (path b a)
         (= (price fig a) 2) (= (price fig b) 4.4) (= (price date a) 1.5) (= (price date b) 1.5)
         (= (stock fig a) 2) (= (stock fig b) 0) (= (stock date a) 0) (= (stock date b) 0)
         (= (held fig) 0) (= (held date) 0) (= (cash) 5) (= (room) 1))
  (:goal (>= (cash) 9.4)))

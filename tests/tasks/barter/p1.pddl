; Figs cost 2.1 with fee at a and bring 4.4 at b: two trips of one fig, 5 - 0.3 - 4.2 + 8.8 = 9.3, exactly.
(define (problem barter-figs) (:domain barter)
  (:objects a b - stall fig date - good)
  (:init (at a) (path a b) (path b a)
         (= (price fig a) 2) (= (price fig b) 4.4) (= (price date a) 1.5) (= (price date b) 1.5)
         (= (stock fig a) 2) (= (stock fig b) 0) (= (stock date a) 0) (= (stock date b) 0)
         (= (held fig) 0) (= (held date) 0) (= (cash) 5) (= (room) 1))
  (:goal (>= (cash) 9.3)))

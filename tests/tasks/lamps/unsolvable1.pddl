; A lone pair wired to each other only flips together.
(define (problem lamps-pair) (:domain lamps)
  (:objects a b - lamp)
  (:init (wired a b) (wired b a) (lit a) (= (energy) 3) (= (glow) 0) (= (presses a) 0) (= (presses b) 0))
  (:goal (not (exists (?l - lamp) (lit ?l)))))

; The tank is one unit too small for the second leg.
(define (problem ferry-dry) (:domain ferry)
  (:objects a b c - dock  swan - boat  salt - crate)
  (:init (leg a b) (leg b a) (leg b c) (leg c b)
         (= (length a b) 3) (= (length b a) 3) (= (length b c) 4) (= (length c b) 4)
         (= (burn swan) 2) (= (fuel swan) 7) (= (tank swan) 7) (= (aboard swan) 0) (= (limit swan) 5)
         (= (size salt) 5) (= (burnt) 0)
         (moored swan a) (stored salt a) (pump a) (pump b))
  (:goal (and (stored salt c))))

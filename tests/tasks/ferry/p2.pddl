; Two crates that do not fit together.
(define (problem ferry-twice) (:domain ferry)
  (:objects a b - dock  swan - boat  salt rice - crate)
  (:init (leg a b) (leg b a) (= (length a b) 2) (= (length b a) 2)
         (= (burn swan) 1) (= (fuel swan) 6) (= (tank swan) 6) (= (aboard swan) 0) (= (limit swan) 3)
         (= (size salt) 2) (= (size rice) 2) (= (burnt) 0)
         (moored swan a) (stored salt a) (stored rice a) (pump a))
  (:goal (and (stored salt b) (stored rice b)))
  (:metric minimize (burnt)))

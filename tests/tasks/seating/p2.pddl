; Everybody sits on the wrong seat; only the younger may ask for an exchange.
(define (problem seating-exchange) (:domain seating)
  (:objects ann - adult bo cy - child stool armchair - chair pew - bench)
  (:init (sits ann stool) (sits bo armchair) (sits cy pew) (= (places stool) 0) (= (places armchair) 0)
         (= (places pew) 0) (= (age ann) 30) (= (age bo) 5) (= (age cy) 5) (= (age host) 50))
  (:goal (and (sits ann armchair) (sits bo pew) (sits cy stool))))

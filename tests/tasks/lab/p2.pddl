; Three samples need a second machine, so a second robot or a rest.
(define (problem lab-two) (:domain lab)
  (:objects hall - room m n - machine r q - robot s1 s2 s3 - sample)
  (:init (door store hall) (in r store) (in q store) (busy q) (= (battery r) 3) (= (battery q) 0)
         (= (busy r) 0) (= (busy q) 0) (= (parts) 4) (= (moves) 0))
  (:goal (and (analysed s1) (analysed s2) (analysed s3) (in r store)))
  (:metric minimize (+ (* 2 (moves)) (noise))))

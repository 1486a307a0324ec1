; Three samples need a second machine, and a rest in the store before it can be built.
(define (problem lab-two) (:domain lab)
  (:objects hall - room m n - machine r - robot s1 s2 s3 - sample)
  (:init (door store hall) (in r store) (= (battery r) 2) (= (busy r) 0) (= (parts) 4) (= (moves) 0))
  (:goal (and (analysed s1) (analysed s2) (analysed s3) (in r store)))
  (:metric minimize (+ (* 2 (moves)) (noise))))

; Parts for one machine only, and its charge serves two samples.
(define (problem lab-poor) (:domain lab)
  (:objects hall - room m n - machine r - robot s1 s2 s3 - sample)
  (:init (door store hall) (in r store) (= (battery r) 3) (= (busy r) 0) (= (parts) 3) (= (moves) 0))
  (:goal (and (analysed s1) (analysed s2) (analysed s3))))

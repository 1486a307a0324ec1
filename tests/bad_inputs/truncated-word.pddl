(define (problem courier-1)
  (:domain courier)
  (:objects van1 - van box - parcel mill - place)
  (:init (at van1 hub) (at b
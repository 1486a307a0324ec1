; Two stages and a sum; nothing is needed of the catalyst but its presence (need 0).
(define (problem workshop-chain) (:domain workshop)
  (:objects clay sand brick house spare - material)
  (:init (source clay) (source sand) (recipe clay sand brick) (recipe brick brick house) (recipe sand spare spare)
         (= (have clay) 0) (= (have sand) 0) (= (have brick) 0) (= (have house) 0) (= (have spare) 0)
         (= (need clay brick) 1) (= (need sand brick) 0) (= (need brick house) 1) (= (need sand spare) 1)
         (= (need spare spare) 1) (= (shelf) 3) (= (dust) 0))
  (:goal (and (>= (+ (have brick) (have house)) 4) (>= (have house) 2))))

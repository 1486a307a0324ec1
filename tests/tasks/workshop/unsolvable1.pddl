; No source of ore.
(define (problem workshop-poor) (:domain workshop)
  (:objects wood ore tool - material)
  (:init (source wood) (recipe wood ore tool)
         (= (have wood) 0) (= (have ore) 0) (= (have tool) 0) (= (need wood tool) 2) (= (need ore tool) 1)
         (= (shelf) 4) (= (dust) 0))
  (:goal (and (>= (have tool) 2))))

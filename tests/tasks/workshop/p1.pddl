; Consumption: tools need 2 wood and 1 ore each pair; optimal length 2 + 1 + 1.
(define (problem workshop-tools) (:domain workshop)
  (:objects wood ore tool - material)
  (:init (source wood) (source ore) (recipe wood ore tool)
         (= (have wood) 0) (= (have ore) 0) (= (have tool) 0) (= (need wood tool) 2) (= (need ore tool) 1)
         (= (shelf) 4) (= (dust) 0))
  (:goal (and (>= (have tool) 2))))

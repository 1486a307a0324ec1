"""The vocabulary shared by all steps: LiftedTask, GroundedTask, Plan. Imports planner.errors only."""

"""The vocabulary shared by all steps: LiftedTask, GroundedTask, Plan. Imports numbat.errors only."""

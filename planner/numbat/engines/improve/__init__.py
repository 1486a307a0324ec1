"""Better plans from plans.

engine       the improver of the core as an engine       prices   operator costs as integers, also state-dependent ones
"""

"""Better plans from plans: what actions cost in exact integers, and the engine that improves a plan in the core.

prices       operator costs as integers, also where they depend on the state
"""

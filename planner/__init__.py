"""Numbat: a satisficing numeric planner. PDDL 2.1 in, a valid plan out.

text -> meaning -> numbers -> search -> plan -> proof; one folder per step:
pddl, normalise, ground, search (with the compiled core), portfolio, and the separate package validate.
"""

__version__ = "0.1.0"

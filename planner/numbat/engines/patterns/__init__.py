"""Symbolic pattern planning: sequences of actions with unknown repetitions, solved as integer constraints.

reduce       GroundedTask → Model: Python integers, identical operators merged, changes that clash made explicit
layers       relaxed reachability from a state: in which layer an action can first be applied, intervals of values
loops        round trips as actions: fill, leave, empty, come back
pattern      the order of actions: complete or helpful patterns
rolling      which actions may be repeated at one position, and how far
formula      clauses and linear rows over Booleans and bounded integers, without a solver
encode       pattern and start state → formula
backends     formula → values, by a solver that is imported only here
decode       values → exact plan, replayed step by step
search       which formula is asked next
worker       the search in a process of its own, with limits

Definition   docs/patterns.md
"""

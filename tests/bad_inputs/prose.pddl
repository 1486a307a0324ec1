This is not PDDL at all.

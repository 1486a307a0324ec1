"""Planner and referee against random small tasks over the whole accepted language, and an exact oracle.

syntax       what a task is made of; the only thing that generator, oracle, text and shrinking share
generate     a number → a task (with vocabulary, pieces, numbers, chains)
text         a task → two PDDL files
oracle       what a task means (with arithmetic); breadth-first search; judging a plan
planner      the only module that calls planner and referee
check        planner, referee and oracle on one task → disagreements; command: the same for the command line
shrink       the smallest task that still shows a disagreement
campaign     many tasks in worker processes (workers), with a summary
found/       shrunk tasks that once showed a mistake, replayed by test_found.py

    python -m tests.adversary --minutes 60 [--seed N] [--tasks N] [--jobs 2]
"""

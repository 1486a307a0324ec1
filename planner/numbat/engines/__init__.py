"""Who can find or better a plan: everything that a portfolio runs is an engine.

engine       the protocol: a name, a reason to decline, run(problem, limits, board) → Outcome
problem      what an engine is given: the lifted, the grounded and the analysed task
outcome      how it ended; a claim of proof is a value of its own
board        what it tells and is told while it runs
compiled     the first engine: the compiled search
exhaustion   a search that proves that no plan costs less, where A* cannot
table        the one list of engines
"""

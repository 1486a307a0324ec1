"""Experiments over many tasks: suites x planners x limits -> results -> scores, reports and the gate.

suites     which tasks, and in which order           planners   how a planner is called and its answer found
process    one command under limits, measured        outcome    what a run's evidence means
runs       one run: call, measure, judge             results    the file of finished runs
experiment many runs on the cores of this machine    cluster    the same on Slurm, through Downward Lab
scores     coverage, agile and satisficing scores    report, page, plots   text, CSV and one HTML page
compare    two experiments task by task              portfolio  members and slices computed from results
gate       the floor that a change must hold         speed      evaluations per second beside ENHSP's
best       the best known costs, only ever improved    integration   where nothing may be skipped

Planners, ours included, are reached through their command lines only, and every plan is judged by `validate`.
"""

"""From a request to a report, whatever happens on the way.

solve        the whole way, and its report            publish, plan_file    the referee's gate, the user's file
frontend     two files → grounded task                interruption          signals and the time limit
pursuit      what members are after: the first plan   conclusion            exit code and last sentence (pure)
optimal      ... or a cheapest one and the proof
anytime      ... and then better ones                 progress, inspection  what people see meanwhile, or instead
favour       ... by whom in how much of the time      prover                that nothing is better (A* beside them)
"""

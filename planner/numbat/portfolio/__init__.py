"""From a request to a published plan: members in forked children, within limits of time and memory.

solve        the whole way, and its report            schedule     who runs next, and for how long (pure)
frontend     two files → grounded task                memory       how members share the memory (pure)
pursuit      what members are after: the first plan   runner       children, turns, limits
anytime      ... and then better ones                 member       one child process
publish      referee and plan file                    stopwatch, interruption   the tree's time; signals
eliminate    redundant actions                        conclusion   exit code and last sentence (pure)
"""

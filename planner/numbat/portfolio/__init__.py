"""Who runs when: members in process groups of their own, within limits of time and memory.

schedule     who runs next, and for how long (pure)     runner      members, turns, limits
memory       how members share the memory (pure)        member      one member and all of its processes
stopwatch    the time of the whole process tree          processes   what processes hold and have used
record       what happened to a member
"""

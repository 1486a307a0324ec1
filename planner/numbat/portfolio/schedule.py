"""Who runs next, and for how long: a portfolio's schedule as data, without processes and without a clock.

Fairness     every member is owed a total in proportion to its weight: its share of the portfolio, times how much it is
             favoured at the moment. The level L is the total that, given to each living member times its weight, would
             use up the remaining time exactly; a member is owed that minus what it has had. When a member ends, its
             unused time raises the level; the last one is owed all there is.
Interleaved  turns of first_slice times the weight, then growth times that, and so on, in the members' order: a task
             that one of n members of equal weight solves in t seconds is solved after about n * t seconds.
Sequential   the paper's portfolio: the same rule with an endless first slice, so that a turn is the whole share.
Cost         O(members) per turn
Not here     starting, pausing and ending members (runner), memory (memory)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

# Owed times below this are rounding, not worth a turn (seconds).
NEGLIGIBLE = 1e-3
# Turns that long have no end.
MOST_DOUBLINGS = 60


@dataclass(frozen=True, slots=True)
class Pattern:
    """How long a member's turns are, in seconds: first_slice, first_slice * growth, first_slice * growth**2, ..."""

    first_slice: float
    growth: float = 2.0


PATTERNS = {"interleaved": Pattern(first_slice=0.05), "sequential": Pattern(first_slice=math.inf)}


@dataclass(slots=True)
class _Account:
    """What one member has had. A retired member is not owed anything."""

    share: float
    used: float = 0.0
    turns: int = 0
    running: bool = False
    retired: bool = False
    favour: float = 1.0
    rest: float = 0.0  # seconds of a turn that it goes on with

    @property
    def weight(self) -> float:
        return self.share * self.favour


@dataclass(frozen=True, slots=True)
class Turn:
    """`member` may run for `seconds` from now on."""

    member: int
    seconds: float


class Schedule:
    """The accounts of all members. `remaining` is always the wall time left for the whole portfolio."""

    def __init__(self, shares: Sequence[float], pattern: Pattern, cores: int = 1) -> None:
        self.accounts = [_Account(share) for share in shares]
        self.pattern = pattern
        self.cores = cores
        self.longest_turn = math.inf  # times a member's weight
        self.before_turn: Callable[[], None] = lambda: None  # may change weights

    @property
    def alive(self) -> list[int]:
        return [index for index, account in enumerate(self.accounts) if not account.retired]

    def weight(self, member: int) -> float:
        """How much of the time is the member's, compared with the others."""
        return self.accounts[member].weight

    def owed(self, member: int, remaining: float) -> float:
        """How much of the remaining time is this member's."""
        account = self.accounts[member]
        if account.retired:
            return 0.0
        return max(0.0, min(self._level(remaining) * account.weight - account.used, remaining))

    def next_turn(self, remaining: float) -> Turn | None:
        """Start the turn of the waiting member that has had the fewest turns; None if nobody is owed time."""
        self.before_turn()
        waiting = [i for i in self.alive if not self.accounts[i].running and self.owed(i, remaining) > NEGLIGIBLE]
        if not waiting:
            return None
        member = min(waiting, key=lambda i: (self.accounts[i].turns, i))
        account = self.accounts[member]
        owed = self.owed(member, remaining)
        grown = self.pattern.first_slice * self.pattern.growth ** min(max(account.turns, 0), MOST_DOUBLINGS)
        length = account.rest or account.weight * min(grown, self.longest_turn)
        account.rest = 0.0
        account.turns += 1
        account.running = True
        # A rest shorter than the turn itself is given at once: two short last turns help nobody.
        return Turn(member, owed if owed < 2 * length else length)

    def charge(self, member: int, seconds: float) -> None:
        """The member has run for so long; its turn goes on."""
        self.accounts[member].used += seconds

    def end_turn(self, member: int) -> None:
        """The member waits for its next turn."""
        self.accounts[member].running = False

    def retire(self, member: int) -> None:
        """The member has ended; what it was owed is now the others'."""
        self.accounts[member].retired = True
        self.accounts[member].running = False

    def favour(self, member: int, factor: float) -> None:
        """From now on the member is owed so many times what its share alone would give it."""
        self.accounts[member].favour = factor

    def prefer(self, member: int) -> None:
        """The member's turn is the next one, if it is alive and waits."""
        self.accounts[member].turns = min(self.accounts[other].turns for other in [member, *self.alive]) - 1

    def resume_turn(self, member: int, seconds: float) -> None:
        """The member goes on with the rest of its turn, before anybody else."""
        self.accounts[member].rest = seconds
        self.prefer(member)

    def revive(self, members: Iterable[int], pattern: Pattern) -> None:
        """A new round for members that had been retired: all accounts start again, others stay retired."""
        self.pattern = pattern
        for member in members:
            self.accounts[member] = _Account(self.accounts[member].share, favour=self.accounts[member].favour)

    def _level(self, remaining: float) -> float:
        """L with sum over the living of max(0, L * weight - used) = remaining * cores; see the module's docstring.

        Found by filling up from the member that has had least for its weight.
        """
        living = sorted((a for a in self.accounts if not a.retired), key=lambda account: account.used / account.weight)
        budget = remaining * min(self.cores, len(living))
        used = weights = 0.0
        for count, account in enumerate(living, start=1):
            used += account.used
            weights += account.weight
            level = (budget + used) / weights
            if count == len(living) or level <= living[count].used / living[count].weight:
                return level
        return 0.0

"""Who gets how much of the time once there is a plan: those who improve it most per second.

In, out      improvements as they happen → the members' weights in the schedule
Rate         what a member has gained lately by the time it has lately used; both fade with the time that all of them
             use. Looked at before every turn, so that one that gains no more loses its weight.
Weights      every member has 1, and up to as many as there are members again are shared out in proportion to the
             rates: all of them where much is gained, none where nothing is. Improvers and scouts start with most of
             them, and improvers again with every plan of a search: they gain at once.
Not here     what a weight means (portfolio.schedule)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from numbat.portfolio.schedule import Schedule

# After so many seconds of all members together what was gained and used counts for a third.
FADING_SECONDS = 5.0
# A rate at which half of what can be shared out is: a part of the cost per second.
MODEST_RATE = 0.005
# Seconds that everybody is taken to have used, so that a first short success does not count for ever.
HEAD_START = 0.2
# What a newcomer is taken to gain per second until it has had its trial: an improver these seconds for every plan of a
# search; a scout once, and longer where the first plan took long: all scouts together this part of its time.
FIRST_RATE = 0.5
TRIAL = 2.0
SCOUTING = 1.0


class Favour:
    """Weights of the members of one run."""

    def __init__(self, schedule: Schedule, improvers: Iterable[int]) -> None:
        self._schedule = schedule
        members = len(schedule.accounts)
        self._gained = [0.0] * members
        self._used = [0.0] * members
        self._improvers = tuple(improvers)
        self._trial = dict.fromkeys(self._improvers, TRIAL)
        self._share_out()

    def introduce(self, scouts: Sequence[int]) -> None:
        """Searches that start now that there is a plan, which has taken the others what they have used so far."""
        if scouts:
            seconds = sum(account.used for account in self._schedule.accounts)
            self._trial |= dict.fromkeys(scouts, max(TRIAL, seconds * SCOUTING / len(scouts)))
            self._share_out()

    def note(self, member: int, gain: float) -> None:
        """A member has improved the plan by so large a part of its cost."""
        self._schedule.before_turn = self._look
        self._take_over_accounts()
        self._gained[member] += gain
        if member not in self._improvers:
            self._trial |= dict.fromkeys(self._improvers, TRIAL)
        self._share_out()

    def _look(self) -> None:
        self._take_over_accounts()
        self._share_out()

    def _take_over_accounts(self) -> None:
        """What was used under other weights is no debt: only the turns to come follow the present ones."""
        fading = math.exp(-sum(account.used for account in self._schedule.accounts) / FADING_SECONDS)
        self._gained = [fading * gained for gained in self._gained]
        for index, account in enumerate(self._schedule.accounts):
            self._used[index] = fading * self._used[index] + account.used
            if index in self._trial:
                self._trial[index] -= account.used
            account.used = 0.0

    def _share_out(self) -> None:
        rates = [gained / (used + HEAD_START) for gained, used in zip(self._gained, self._used, strict=True)]
        for member, left in self._trial.items():
            if left > 0:
                rates[member] = max(rates[member], FIRST_RATE)
        total = sum(rates) + MODEST_RATE
        for member, rate in enumerate(rates):
            self._schedule.favour(member, 1.0 + len(rates) * rate / total)

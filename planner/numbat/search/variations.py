"""What a search does besides, mostly when it has stalled: variations of it that share the evaluations.

Why          a greedy search leaves open which of equally good states comes first, and much depends on that
In, out      Search → its variations, itself first; `numbat list` prints them, the core runs them in turn
Shares       counted in evaluations: while the search itself has had n, a variation has had n times its share over the
             search's. A variation that is not kept throws a run away when it makes no progress, and starts the next
Left out     what another member of the portfolio does anyhow
Kinds        ahead: where helpful actions are at hand, a lazy run that carries out relaxed plans, with one more queue,
             by landmarks. It joins early: a large task may take all the time without ever stalling
             distance: a second run with one more queue, by h_md: cheap, and it sees other things than relaxed plans do
             orders: runs in other orders, with the search's own queues
Not here     when a search has stalled (--patience; 0: never) and how variations take turns (core/search/search.h)
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from numbat.search.notation import Queue, Search
from numbat.search.options import SearchOptions

# For orders other than the search's own: what each run of a variation does with equally good states, in turn.
_ORDERS = ("fifo", "heap", "lifo")
_GOAL_DISTANCE = Queue("hmd")
_LANDMARKS = Queue("hlm")
_GREEDY = ("S", "M")
_AHEAD = "Y"
_AHEAD_JOINS_AT = 100


@dataclass(frozen=True, slots=True)
class Variation:
    """One way to search.

    ties       how its runs break ties: the n-th run by the n-th of them, over and over
    shuffled   its runs take the operators in random orders, each in another
    kept       one run that goes on; else runs are thrown away when they make no progress
    joins_at   evaluations of the search itself after which it joins, stalled or not; 0: once stalled
    """

    search: Search
    ties: tuple[str, ...]
    shuffled: bool
    kept: bool
    share: int
    joins_at: int = 0

    def seed(self, original: Search, seed: int) -> int:
        """Of its first run. Not two searches of a portfolio, and not two variations of one, shuffle alike."""
        if not self.shuffled:
            return seed
        return (zlib.crc32(f"{seed} {original} {self.search}".encode()) << 20) + 1


def variations(search: Search, options: SearchOptions) -> tuple[Variation, ...]:
    """The search itself, and what shares the evaluations with it, of the kinds that are wanted."""
    itself = Variation(search, (options.ties,), shuffled=False, kept=True, share=2)
    if options.patience == 0 or search.algorithm not in _GREEDY:
        return (itself,)
    others = (made for kind, made in _kinds(search, options.ties) if kind in options.variations)
    return (itself, *(made for made in others if not _is_made(made, options.beside)))


def _kinds(search: Search, ties: str) -> Iterator[tuple[str, Variation]]:
    if any(queue.helpful for queue in search.queues) and _LANDMARKS not in search.queues:
        beside = Search((*search.queues, _LANDMARKS), _AHEAD)
        yield "ahead", Variation(beside, (ties,), shuffled=False, kept=True, share=2, joins_at=_AHEAD_JOINS_AT)
    if _GOAL_DISTANCE not in search.queues:
        beside = Search((*search.queues, _GOAL_DISTANCE), "M")
        yield "distance", Variation(beside, (ties,), shuffled=False, kept=True, share=2)
    yield "orders", Variation(search, _ORDERS, shuffled=True, kept=False, share=1)


def _is_made(variation: Variation, beside: frozenset[Search]) -> bool:
    """One look ahead is enough, whatever its heuristics."""
    if variation.search.algorithm == _AHEAD and any(search.algorithm == _AHEAD for search in beside):
        return True
    return variation.kept and variation.search in beside

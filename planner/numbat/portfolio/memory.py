"""How the members of a portfolio share the memory: a policy over sizes, without processes.

Counted      the resident size of every process of the tree, shared pages once for each: what a batch system adds up
             must stay below the limit. A control group, which counts a page once, never counts more.
Policy       paused members keep their memory. While the sum fits, anybody may use as much as it likes. When the sum
             comes near the limit, one member is ended: among those that have had their share of the time if there are
             any, else among all, the one that holds most for its weight (hence at least its fair share). So where
             the task alone fills much of every process, those stay that the portfolio rests on.
             The last living member ends by itself at its ceiling, or here if it overshoots that by half the margin.
Ceiling      each running member gets, through its board, what it holds plus what is free, so that a search ends with
             the status out-of-memory instead of overshooting.
Afterwards   an ended member may run once more, afresh and with all the memory, when nobody else is alive (runner)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class MemoryLimit:
    """The tree's limit in bytes, of which `target` may be handed out."""

    limit: int

    @property
    def target(self) -> int:
        """What members may fill: a margin stays for what grows between two looks and outside the core's counting."""
        return self.limit - self.margin

    @property
    def margin(self) -> int:
        return max(self.limit // 32, 8 * MEGABYTE)

    def free(self, parent: int, members: Mapping[int, int]) -> int:
        return self.target - parent - sum(members.values())

    def victim(
        self, parent: int, members: Mapping[int, int], served: set[int], weight: Callable[[int], float]
    ) -> int | None:
        """The member to end, if one has to be: sizes by member, who has had its share of the time, and weights."""
        lowest = self.margin if len(members) > 1 else -self.margin // 2
        if not members or self.free(parent, members) >= lowest:
            return None
        candidates = served & members.keys() or members.keys()
        return max(candidates, key=lambda member: (members[member] / weight(member), member))

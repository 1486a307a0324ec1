"""LiftedTask to GroundedTask: joins, relaxed reachability, simplification, relevance, exact scaling, flat arrays.

The steps are listed in pipeline; ground(task) runs them all.
"""

from numbat.ground.memory import freed_memory_kept
from numbat.ground.pipeline import MEMORY, ground, ground_with_report
from numbat.ground.report import GroundingReport

__all__ = ["MEMORY", "GroundingReport", "freed_memory_kept", "ground", "ground_with_report"]

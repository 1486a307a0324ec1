"""How much CPU time an explanation may still take."""

from __future__ import annotations

import time


class Budget:
    """Counts this process's CPU seconds from now on."""

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds

    @property
    def left(self) -> float:
        return max(0.0, self._end - time.process_time())

    @property
    def spent(self) -> bool:
        return not self.left

"""Pieces that plots are made of: a frame with axes, and numbers in few characters.

In, out      numbers → SVG text; colours are classes of the page's style, so that they follow light and dark
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

DIGIT = 7  # the width of one on an axis


@dataclass(frozen=True)
class Frame:
    """The drawing area inside a picture, in its own units."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int

    @property
    def x_end(self) -> int:
        return self.width - self.right

    @property
    def y_end(self) -> int:
        return self.height - self.bottom

    def picture(self, label: str, parts: Sequence[str]) -> str:
        return (
            f'<svg viewBox="0 0 {self.width} {self.height}" role="img" aria-label={quoteattr(label)}>'
            f'<rect class="area" x="{self.left}" y="{self.top}" width="{self.x_end - self.left}"'
            f' height="{self.y_end - self.top}"/>{"".join(parts)}</svg>'
        )

    def vertical(self, x: float, label: str, kind: str = "grid", anchor: str = "middle") -> str:
        """A line upright, its label below the frame."""
        return (
            f'<path class="{kind}" d="M{x:.1f} {self.top}V{self.y_end}"/>'
            f'<text class="tick" text-anchor="{anchor}" x="{x:.1f}" y="{self.y_end + 15}">{label}</text>'
        )

    def horizontal(self, y: float, label: str, kind: str = "grid") -> str:
        """A line across, its label left of the frame, squeezed if it is long."""
        room = self.left - 8
        squeezed = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if len(label) * DIGIT > room else ""
        return (
            f'<path class="{kind}" d="M{self.left} {y:.1f}H{self.x_end}"/>'
            f'<text class="tick" text-anchor="end" x="{self.left - 6}" y="{y + 4:.1f}"{squeezed}>{label}</text>'
        )

    def caption(self, text: str) -> str:
        middle = (self.left + self.x_end) / 2
        return f'<text class="caption" text-anchor="middle" x="{middle}" y="{self.height - 8}">{escape(text)}</text>'


def round_step(top: int) -> int:
    """A step of 1, 2 or 5 times a power of ten that gives at most ten lines."""
    power = int(10 ** max(0, math.floor(math.log10(max(top, 1))) - 1))
    return next(step * power for step in (1, 2, 5, 10, 20) if top <= 10 * step * power)

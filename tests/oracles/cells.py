"""Cells, feature C: how many states share the parts of the space.

Definition   docs/heuristics.md 8.8
In, out      a sequence of states → one value per state
Guarantee    a cell is a tuple of exact numbers, counted
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

from tests.oracles.roll import steps
from tests.oracles.states import Form, Model, State


class CellsOracle:
    """The value of each state of a sequence."""

    def __init__(self, model: Model) -> None:
        self.axes = [(c.form, step) for c, step in zip(model.conditions, steps(model), strict=True)]
        self.met: Counter[object] = Counter()
        effects = [e for operator in model.operators for block in operator.blocks for e in block.numeric]
        for variable in range(len(model.initial.values)):
            if not any(variable in effect.form.variables for effect in effects):
                continue
            alone = [(form.terms, step) for form, step in self.axes[: len(model.conditions)]]
            step = min((s / abs(t[0][1]) for t, s in alone if len(t) == 1 and t[0][0] == variable), default=Fraction(1))
            centres = {Fraction(0)}
            for effect in effects:
                if effect.variable == variable and effect.form.variables == (variable,):
                    rate = effect.form.terms[0][1] - effect.assign
                    centres |= {-effect.form.constant / rate} if rate else set()
            self.axes += [(Form(((variable, Fraction(1)),), -centre), step) for centre in sorted(centres)]

    def value(self, state: State) -> int:
        places = []
        for form, step in self.axes:
            value = form.value(state)
            ratio = 1 + abs(value) / step
            places.append((value < 0, math.floor(ratio**2).bit_length()))  # half octaves
        cell = (state.facts, tuple(places))
        self.met[cell] += 1
        return ((self.met[cell] - 1) // 4).bit_length()

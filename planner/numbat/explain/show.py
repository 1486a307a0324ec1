"""`numbat show`: the course of a plan as one page.

In, out      two files and a plan → Page: HTML and the referee's verdict
Page         verdict and figures, cost, every number that changes as a small picture (grouped by function), the
             conditions that hold most narrowly, what never changes, and the steps with what each changed
Size         the pictures are drawn here; the steps go along as data, and a script shows a window of them
Not here     executing (course), drawing (charts), the page's frame (page)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path

from numbat.explain.charts import SMALL, WIDE, Curve, Limit, draw, short
from numbat.explain.course import Course, Demand, follow, referee_errors
from numbat.explain.page import LONGEST_NAME, document, resource
from numbat.explain.rules import RuleModel
from numbat.normalise import normalise
from numbat.pddl import load, read_once
from numbat.task.numbering import Numbering
from numbat_validate import Verdict
from numbat_validate import load as load_for_referee
from numbat_validate.reader import Key, Number, render_number, shorten

MOST_PICTURES = 200  # of numbers that change; the others are named with their first and last values
MOST_NARROW = 12
STATIC_STEPS = 100  # shown without a script, and on paper
LONGEST_NUMBER = 20
MOST_CHANGES = 24  # of a step that are seen at once
NO_VALUE = "&ndash;"


@dataclass(frozen=True, slots=True)
class Page:
    html: str
    verdict: Verdict


def show(domain: Path, problem: Path, plan: Path) -> Page:
    """See the module's docstring."""
    files = read_once(domain), read_once(problem)
    read_domain, read_problem, _ = load(*files)
    model = RuleModel(read_domain, read_problem, normalise(read_domain, read_problem))
    with referee_errors():
        course = follow(model, load_for_referee(*files), plan)
    return Page(render(course, read_domain.name, read_problem.name), course.verdict)


def render(course: Course, domain: str, problem: str) -> str:
    """The page of a course."""
    writer = _Writer(course)
    body = "\n".join(writer.sections(domain, problem))
    title = f"Plan for {shorten(problem, LONGEST_NAME)}"
    return document(title, body, style=resource("show.css"), data=writer.data(), script=resource("show.js"))


def name(key: Key) -> str:
    """A fluent as people write it."""
    return f"{key[0]}({', '.join(key[1:])})" if key[1:] else key[0]


def _plural(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


class _Writer:
    def __init__(self, course: Course) -> None:
        self._course = course
        self._length = len(course.steps)
        self._failed = course.executed if course.verdict.step is not None else None
        self._points = self._histories()
        self._limits: dict[Key, list[Limit]] = defaultdict(list)
        for demand in course.demands:
            for key, value, relation in demand.bounds:
                self._limits[key].append(Limit(demand.step, value, relation))
        varying = [key for key, points in self._points.items() if points[-1][0] > 0]
        self._drawn = sorted(varying, key=lambda key: -len(self._points[key]))[:MOST_PICTURES]
        self._drawn.sort(key=varying.index)
        drawn = set(self._drawn)
        self._named = [key for key in varying if key not in drawn]
        self._constant = [key for key, points in self._points.items() if points[-1][0] == 0]

    def _histories(self) -> dict[Key, list[tuple[int, Number]]]:
        """Every fluent's values and the number of steps after which it had them."""
        points = {key: [(0, value)] for key, value in self._course.initial.items()}
        for number, changes in enumerate(self._course.changes, 1):
            for key, _, value in changes.values:
                points.setdefault(key, []).append((number, value))
        return points

    def sections(self, domain: str, problem: str) -> Iterator[str]:
        yield self._header(domain, problem)
        yield "<main>"
        yield self._cost()
        yield self._numbers()
        yield self._narrow()
        yield self._still()
        yield self._steps()
        yield "</main>"
        yield _CONTROL
        yield "<footer><p>Executed with exact fractions by numbat's referee. This page needs no network.</p></footer>"

    # --- head ---

    def _header(self, domain: str, problem: str) -> str:
        verdict, course = self._course.verdict, self._course
        met = sum(holds for _, holds in course.goals)
        cards = [
            ("steps", f"{course.executed:,}", "" if self._failed is None else f"of {self._length:,}"),
            (
                "cost",
                _figure(verdict.cost) if verdict.valid else NO_VALUE,
                "of the metric" if verdict.metric else "one per step",
            ),
            ("goals met", f"{met:,}", f"of {len(course.goals):,}"),
            ("numbers that change", f"{len(self._drawn) + len(self._named):,}", f"of {len(self._points):,}"),
        ]
        shown = "".join(
            f'<div class="card"><span class="planner">{what}</span><b>{figure} <small>{note}</small></b></div>'
            for what, figure, note in cards
        )
        return (
            f'<header><p class="soft kicker">{_name(domain)}</p><h1>{_name(problem)}</h1>{self._verdict()}'
            f'<div class="cards">{shown}</div></header>'
        )

    def _verdict(self) -> str:
        verdict = self._course.verdict
        if verdict.valid:
            return '<p class="clear">Valid: every step can be executed, and the goal is reached.</p>'
        where = "The goal is not reached" if verdict.step is None else f"Step {verdict.step:,} cannot be executed"
        details = "".join(f"<li>{escape(shorten(detail, 300))}</li>" for detail in verdict.details)
        missed = "".join(f"<li>{escape(shorten(goal, 300))}</li>" for goal, holds in self._course.goals if not holds)
        unmet = f"<p>Goals not met:</p><ul>{missed}</ul>" if verdict.step is None else ""
        return (
            f'<div class="wrong" role="alert"><p><b>Not valid. {where}.</b></p>'
            f"<p>{escape(shorten(verdict.reason, 600))}</p><ul>{details}</ul>{unmet}</div>"
        )

    # --- numbers ---

    def _cost(self) -> str:
        costs = self._course.costs
        if not any(cost is not None for cost in costs):
            return ""
        told = [(n, c) for n, c in enumerate(costs) if c is not None and (not n or c != costs[n - 1])]
        label = f"cost over the steps: {short(told[0][1])} at the start, {short(told[-1][1])} at the end"
        curve = Curve(told, self._length, failed=self._failed)
        pictures = "".join(
            f'<figure class="{kind}" data-series="cost">{draw(curve, label, frame)}</figure>'
            for kind, frame in (("wide", WIDE), ("phone", SMALL))
        )
        return f"<section><h2>Cost</h2>{pictures}</section>"

    def _numbers(self) -> str:
        groups: dict[str, list[Key]] = defaultdict(list)
        for key in self._drawn:
            groups[key[0]].append(key)
        if not groups:
            return "<section><h2>Numbers</h2><p>No number changes.</p></section>"
        parts = ["<section><h2>Numbers</h2>"]
        if any(self._limits[key] for key in self._drawn):
            parts.append(
                '<p class="soft">Short lines are the values that preconditions and goals ask for, at the steps where '
                "they do; a dashed line joins equal ones. Right of the axis stands what is left at the end.</p>"
            )
        single = [keys[0] for keys in groups.values() if len(keys) == 1]
        for function, keys in groups.items():
            if len(keys) > 1:
                figures = "".join(self._figure(key, ", ".join(key[1:])) for key in keys)
                parts.append(f'<h3>{_name(function)}</h3><div class="multiples">{figures}</div>')
        if single:
            figures = "".join(self._figure(key, name(key)) for key in single)
            heading = "<h3>others</h3>" if len(single) < len(groups) else ""
            parts.append(f'{heading}<div class="multiples">{figures}</div>')
        if self._named:
            rows = "".join(self._first_and_last(key) for key in self._named)
            parts.append(
                f"<details><summary>{_plural(len(self._named), 'more number')} that change</summary>"
                f'<div class="scroll"><table><tbody>{rows}</tbody></table></div></details>'
            )
        return "".join([*parts, "</section>"])

    def _figure(self, key: Key, title: str) -> str:
        values = [value for _, value in self._points[key]]
        first, last = self._first(key) or NO_VALUE, short(values[-1])
        label = (
            f"{shorten(name(key), LONGEST_NAME)}: {self._first(key) or 'no value'} at the start, {last} at the end, "
            f"between {short(min(values))} and {short(max(values))}"
        )
        curve = Curve(self._points[key], self._length, self._limits[key], self._failed)
        return (
            f'<figure data-series="{self._drawn.index(key)}"><figcaption>'
            f'<span class="fluent" title="{_attribute(name(key))}">'
            f"{_name(title)}</span><output>{first} → {last}</output></figcaption>{draw(curve, label)}</figure>"
        )

    def _first(self, key: Key) -> str:
        """The value at the start; empty if there is none."""
        step, value = self._points[key][0]
        return "" if step else short(value)

    def _first_and_last(self, key: Key) -> str:
        first, last = self._first(key) or NO_VALUE, short(self._points[key][-1][1])
        return f'<tr><td class="text">{_name(name(key))}</td><td>{first}</td><td>{last}</td></tr>'

    def _narrow(self) -> str:
        """The conditions with least to spare, each at the step where that was so."""
        best: dict[tuple[object, ...], Demand] = {}
        for demand in self._course.demands:
            if demand.slack is not None:
                which = (demand.action, demand.need.span, *demand.names.values())
                kept = best.setdefault(which, demand)
                if kept.slack is not None and demand.slack < kept.slack:
                    best[which] = demand
        if not best:
            return ""
        rows = sorted(best.values(), key=lambda demand: (demand.slack, demand.step))[:MOST_NARROW]
        body = "".join(self._narrow_row(demand) for demand in rows)
        return (
            "<section><h2>Tightest conditions</h2><p>What preconditions and goals had to spare at the narrowest point: "
            "where it is nothing, a resource was used to the limit.</p>"
            '<div class="scroll"><table><thead><tr><th>condition</th><th>to spare</th><th>step</th>'
            f'<th class="text">asked by</th></tr></thead><tbody>{body}</tbody></table></div></section>'
        )

    def _narrow_row(self, demand: Demand) -> str:
        assert demand.slack is not None
        kind = "less" if demand.slack < 0 else "best" if not demand.slack else ""
        step = "end" if demand.step == self._length else f"{demand.step + 1:,}"
        return (
            f'<tr><td class="text">{_name(demand.text)}</td><td class="{kind}">{short(demand.slack)}</td>'
            f'<td>{step}</td><td class="text">{_name(self._asker(demand))}</td></tr>'
        )

    def _asker(self, demand: Demand) -> str:
        return " ".join(self._course.steps[demand.step]) if demand.step < self._length else demand.action

    def _still(self) -> str:
        if not self._constant:
            return ""
        rows = "".join(
            f'<tr><td class="text">{_name(name(key))}</td><td>{escape(_number(self._points[key][0][1]))}</td></tr>'
            for key in self._constant
        )
        verb = "changes" if len(self._constant) == 1 else "change"
        return (
            f"<details><summary>{_plural(len(self._constant), 'number')} that never {verb}</summary>"
            f'<div class="scroll"><table><tbody>{rows}</tbody></table></div></details>'
        )

    # --- steps ---

    def _steps(self) -> str:
        if not self._length:
            return "<section><h2>Steps</h2><p>The plan has no steps.</p></section>"
        shown = self._course.steps[:STATIC_STEPS]
        rows = "".join(self._step(number, step) for number, step in enumerate(shown))
        more = f" The first {STATIC_STEPS} of them:" if self._length > STATIC_STEPS else ""
        return (
            '<section><h2 id="steps">Steps</h2><div class="tools" hidden><label>Find <input id="find" type="search" '
            'autocomplete="off" placeholder="action, object or number"></label>'
            '<span id="count" role="status"></span></div>'
            f'<p class="soft static">{_plural(self._length, "step")}.{more}</p>'
            f'<div id="list" tabindex="0" role="region" aria-labelledby="steps"><ol id="rows">{rows}</ol></div>'
            '<div class="tools pager" hidden><button id="earlier" type="button">Earlier</button><span id="page"></span>'
            '<button id="later" type="button">Later</button></div></section>'
        )

    def _step(self, number: int, step: Key) -> str:
        failed = number == self._failed
        changes = self._effects(number) if number < self._course.executed else ""
        note = '<span class="bad">cannot be executed</span>' if failed else changes
        kind = ' class="failed"' if failed else ""
        return (
            f'<li value="{number + 1}"{kind}><span class="action">{_name(" ".join(step))}</span>'
            f'<span class="changes">{note}</span></li>'
        )

    def _effects(self, number: int) -> str:
        told = list(self._changes(number))
        seen, more = "".join(told[:MOST_CHANGES]), told[MOST_CHANGES:]
        return f"{seen}<details><summary>{len(more):,} more</summary>{''.join(more)}</details>" if more else seen

    def _changes(self, number: int) -> Iterator[str]:
        changes = self._course.changes[number]
        for key, old, new in changes.values:
            before = NO_VALUE if old is None else escape(_number(old))
            yield f'<span class="number">{_name(name(key))} {before} → {escape(_number(new))}</span>'
        yield from (f'<span class="more">+ {_name(" ".join(fact))}</span>' for fact in changes.added)
        yield from (f'<span class="less">&minus; {_name(" ".join(fact))}</span>' for fact in changes.deleted)

    def data(self) -> dict[str, object]:
        """What the script shows step by step; every name once, everything else by number."""
        names: Numbering[str] = Numbering()
        latest = {key: _number(value) for key, value in self._course.initial.items()}
        texts = {key: [text] for key, text in latest.items()}
        changes = []
        for change in self._course.changes:
            values = []
            for key, _, new in change.values:
                text = _number(new)
                values.append([names[name(key)], latest.get(key), text])
                texts.setdefault(key, []).append(text)
                latest[key] = text
            facts = ([names[" ".join(fact)] for fact in group] for group in (change.added, change.deleted))
            changes.append([values, *facts])
        return {
            "steps": [names[" ".join(step)] for step in self._course.steps],
            "changes": changes,
            "series": [[[number for number, _ in self._points[key]], texts[key]] for key in self._drawn],
            "cost": [None if cost is None else _number(cost) for cost in self._course.costs],
            "failed": self._failed,
            "seen": MOST_CHANGES,
            "names": [shorten(name, 400) for name in names.entries],
        }


def _number(value: Number) -> str:
    """Exact, unless nobody would read it to its end."""
    exact = render_number(value)
    return exact if len(exact) <= LONGEST_NUMBER else f"≈ {short(value)}"


def _figure(value: Number) -> str:
    """A number with room around it: exact if it is a short decimal."""
    if value and not Fraction(1, 10) <= abs(Fraction(value)) < 10**9:
        return short(value)
    whole, dot, decimals = render_number(value).lstrip("-").partition(".")
    if "/" in whole or len(decimals) > 6:
        return f"{float(value):,.2f}"
    return f"{'-' if value < 0 else ''}{int(whole):,}{dot}{decimals}"


def _name(text: str) -> str:
    """A name for the page: escaped, cut if nobody would read it to its end."""
    if len(text) <= LONGEST_NAME:
        return escape(text)
    return f'<span title="{_attribute(text)}">{escape(shorten(text, LONGEST_NAME))}</span>'


def _attribute(text: str) -> str:
    return escape(shorten(text, 1000), quote=True)


_CONTROL = (
    '<div id="control" hidden><label for="cursor">Step</label>'
    '<button id="back" type="button" aria-label="one step back">&lsaquo;</button>'
    '<input id="cursor" type="range" min="0" value="0" step="1"><button id="forth" type="button" '
    'aria-label="one step forth">&rsaquo;</button><output id="now" for="cursor"></output></div>'
)

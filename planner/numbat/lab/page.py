"""The report as one HTML page: no scripts, nothing loaded, readable in light and dark and on paper.

In, out      Table -> HTML text
Order        what is unexplained, coverage beside the paper's, solved tasks over time, scores, pairs, outcomes
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from numbat.explain.drawing import Frame
from numbat.explain.page import document, resource
from numbat.lab.outcome import OUTCOMES, SOLVED
from numbat.lab.plots import ALONE, IN_A_PAGE, NO_LEVELS, Levels, Point, cactus, scatter, standalone
from numbat.lab.results import Record
from numbat.lab.scores import PAPER_CONDITIONS, PAPER_SECONDS, PAPER_TASKS, Column, Table, paper_coverage, paper_name

# Of the paper's table: the best portfolio, multi-queue search and single heuristic, and somebody else's planner.
PUBLISHED = ("P(3h||3n)", "M(3h||3n)", "Patty", "S(hadd<B,QB>)")
MEASURES = (("expanded states", 1.0), ("CPU seconds", 0.1), ("plan length", 1.0))


def render(table: Table, notices: Sequence[str]) -> str:
    """The whole page."""
    body = [
        _header(table),
        _unexplained(table),
        *(f'<p class="note">{escape(notice)}.</p>' for notice in notices),
        _coverage(table),
        f"<h2>Solved tasks over time</h2>{over_time(table)}",
        _scores(table),
        _pairs(table),
        _outcomes(table),
        _footer(table),
    ]
    return document(f"Lab report: {len(table.records)} runs", "\n".join(body))


def _header(table: Table) -> str:
    cards = []
    published = paper_coverage()
    for column in table.columns:
        theirs = published.get(paper_name(column.planner))
        beside = f"<br>paper {sum(theirs.values())} of {PAPER_TASKS * len(theirs)}" if theirs else ""
        cards.append(
            f'<div class="card"><span class="planner">{escape(column.planner)}</span>'
            f"<b>{len(table.solved(column))} <small>of {table.runs(column)}</small></b>"
            f'<span class="soft">{column.limits}{beside}</span></div>'
        )
    machines = sorted({record.machine for record in table.records if record.machine})
    ended = sorted(record.ended for record in table.records if record.ended)
    when = (
        f"{ended[0][:10]} to {ended[-1][:10]}" if ended and ended[0][:10] != ended[-1][:10] else "".join(ended[:1])[:10]
    )
    return (
        f'<header><h1>Lab report</h1><p class="soft">{len(table.records)} runs on {len(table.tasks)} tasks of '
        f"{len(table.domains)} domains. {escape('; '.join(machines))}. {when}</p>"
        f'<div class="cards">{"".join(cards)}</div></header>'
    )


def _unexplained(table: Table) -> str:
    found = table.unexplained()
    if not found:
        return '<h2>Unexplained</h2><p class="clear">Nothing: every run ended as a sound planner\'s may.</p>'
    rows = [
        f"<tr><td>{escape(record.domain)} {escape(record.problem)}</td><td>{escape(record.planner)}</td>"
        f"<td>{escape(record.outcome)}</td><td>{record.cpu:.1f} s</td>"
        f'<td class="text">{escape(reason)}<br><span class="soft">{escape(record.log)}</span></td></tr>'
        for record, reason in found
    ]
    head = '<th>task</th><th>planner</th><th>outcome</th><th>CPU</th><th class="text">what is wrong</th>'
    return (
        f'<h2>Unexplained</h2><div class="wrong"><p><b>{len(found)} of {len(table.records)} runs.</b></p>'
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _coverage(table: Table) -> str:
    """Ours and, where the paper has the configuration, the paper's beside it."""
    published = paper_coverage()
    theirs = {column: published.get(paper_name(column.planner)) for column in table.columns}
    ours = {column: table.coverage(column) for column in table.columns}
    common = {column.limits for column in table.columns}
    mine = "ours" if len(common) == 1 else ""
    names, limits = "<th>domain</th><th>tasks</th>", "<th></th><th></th>"
    for column in table.columns:
        wide = ' colspan="2"' if theirs[column] else ""
        names += f'<th class="ours"{wide}>{escape(column.planner)}</th>'
        limits += f'<th class="ours">{mine or column.limits}</th>'
        limits += '<th class="paper">paper</th>' if theirs[column] else ""
    rows = []
    for domain in table.domains:
        tasks = len(table.tasks_of(domain))
        most = max(ours[column][domain] for column in table.columns)
        cells = f"<td>{escape(domain)}</td><td>{tasks}</td>"
        for column in table.columns:
            figures = theirs[column]
            cells += _coverage_cell(
                ours[column][domain], None if figures is None else figures.get(domain), tasks, best=most
            )
            if figures is not None:
                cells += f'<td class="paper">{figures.get(domain, "")}</td>'
        rows.append(f"<tr>{cells}</tr>")
    sums = f"<td>sum</td><td>{len(table.tasks)}</td>"
    for column in table.columns:
        sums += f'<td class="ours">{sum(ours[column].values())}</td>'
        if figures := theirs[column]:
            sums += f'<td class="paper">{sum(figures.get(domain, 0) for domain in table.domains)}</td>'
    return (
        "<h2>Coverage</h2><p>Tasks solved with a plan that the referee accepts"
        f"{', within ' + common.pop() if mine else ''}. The paper's figures, in italics, were "
        f"measured with {PAPER_CONDITIONS}, on {PAPER_TASKS} tasks per domain; where ours is of as many tasks, it is "
        "green if it is higher and red if it is lower.</p>"
        f'<div class="scroll"><table><thead><tr>{names}</tr><tr>{limits}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody><tfoot><tr>{sums}</tr></tfoot></table></div>"
    )


def _coverage_cell(solved: int, paper: int | None, tasks: int, *, best: int) -> str:
    classes = ["ours"]
    if solved == best and solved:
        classes.append("best")
    if paper is not None and tasks == PAPER_TASKS and solved != paper:
        classes.append("more" if solved > paper else "less")
    return f'<td class="{" ".join(classes)}">{solved}</td>'


def _scores(table: Table) -> str:
    agile = {column: table.agile(column) for column in table.columns}
    satisficing = {column: table.satisficing(column) for column in table.columns}
    return (
        "<h2>Scores</h2><h3>Agile</h3><p>1 for a plan within a second of CPU time, falling logarithmically to 0 at "
        f"300 s.</p>{_score_table(table, agile)}<h3>Satisficing</h3><p>The best known cost divided by the plan's cost; "
        f"where the task has no metric the cost is the length.</p>{_score_table(table, satisficing)}"
    )


def _score_table(table: Table, scores: Mapping[Column, Mapping[str, float]]) -> str:
    head = "<th>domain</th>" + "".join(f"<th>{escape(column.planner)}</th>" for column in table.columns)
    rows = []
    for domain in table.domains:
        best = max(scores[column][domain] for column in table.columns)
        cells = "".join(
            f'<td class="{"best" if value == best and value else ""}">{value:.2f}</td>'
            for value in (scores[column][domain] for column in table.columns)
        )
        rows.append(f"<tr><td>{escape(domain)}</td>{cells}</tr>")
    sums = "".join(f"<td>{sum(scores[column].values()):.2f}</td>" for column in table.columns)
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody>'
        f"<tfoot><tr><td>sum</td>{sums}</tr></tfoot></table></div>"
    )


def over_time(table: Table, frame: Frame = IN_A_PAGE) -> str:
    """Solved tasks over time, beside what the paper has where exactly its tasks were run."""
    series = [(column.planner, [record.plan_cpu or 0.0 for record in table.solved(column)]) for column in table.columns]
    limit = max((column.time for column in table.columns), default=1.0)
    heights = [(name, sum(paper_coverage()[name].values())) for name in PUBLISHED]
    levels = Levels(heights, f"paper, {PAPER_SECONDS} s") if _papers_tasks(table) else NO_LEVELS
    return cactus(series, limit, len(table.tasks), levels, frame)


def picture(table: Table) -> str:
    """The same as a file of its own."""
    return standalone(over_time(table, ALONE), resource("plot.css"))


def _papers_tasks(table: Table) -> bool:
    domains = paper_coverage()[PUBLISHED[0]].keys()
    return set(table.domains) == set(domains) and len(table.tasks) == PAPER_TASKS * len(domains)


def _pairs(table: Table) -> str:
    """The planner that solves most against each of the others."""
    if len(table.columns) < 2:
        return ""
    first = max(table.columns, key=lambda column: len(table.solved(column)))
    parts = [
        f"<h2>{escape(first.planner)} and the others</h2><p>One point per task that at least one of the two solved; "
        "below the diagonal the planner on the upright axis needed less. Tasks solved by one alone lie on the edge "
        "marked none.</p>"
    ]
    for column in table.columns:
        if column != first:
            parts.append(f'<h3>{escape(column.planner)}</h3><div class="pair">{_pair(table, first, column)}</div>')
    return "".join(parts)


def _pair(table: Table, across: Column, upward: Column) -> str:
    pictures = []
    for title, least in MEASURES:
        points = []
        for task in table.tasks:
            x, y = (_value(table.cells.get((column, task)), title) for column in (across, upward))
            if x is not None or y is not None:
                points.append(Point(" ".join(task), x, y))
        pictures.append(scatter(points, title, across.planner, upward.planner, least=least))
    return "".join(pictures)


def _value(record: Record | None, measure: str) -> float | None:
    """A measure of a run that solved its task."""
    if record is None or record.outcome != SOLVED:
        return None
    if measure == "expanded states":
        return record.statistic("expanded")
    return record.plan_cpu if measure == "CPU seconds" else record.length


def _outcomes(table: Table) -> str:
    head = '<th>outcome</th><th class="text">meaning</th>'
    head += "".join(f"<th>{escape(column.planner)}</th>" for column in table.columns)
    rows = []
    for outcome, counts in table.outcomes().items():
        cells = "".join(f"<td>{counts[column]}</td>" for column in table.columns)
        rows.append(f'<tr><td>{escape(outcome)}</td><td class="text">{escape(OUTCOMES[outcome])}</td>{cells}</tr>')
    return (
        f'<h2>Outcomes</h2><div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _footer(table: Table) -> str:
    versions = sorted({record.version for record in table.records if record.version})
    return (
        "<footer><p>Times are CPU seconds and memory is resident bytes of the planner's whole process tree; a plan "
        "counts if it was there within the limit and the referee, which is exact, accepts it.</p>"
        f"<p>numbat {escape(', '.join(versions))}; the runs' outputs lie beside the file of results.</p></footer>"
    )

"""The analysis as plain data: JSON, and the rows of two CSV files."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from judge.base.stats.numbers import as_reasons
from judge.results.difficulty.analyses import Analysis, LineRow, Proposal, TaskRow

TASK_HEAD = (
    "task", "title", "domain", "candidates", "responses", "other_version", "mean_score", "spread",
    "difficulty", "discrimination", "no_discrimination_because", "p_reversed", "q_reversed",
    "saturated", "without_points", "concerns", "decided",
)  # fmt: skip
LINE_HEAD = (
    "task", "line", "text", "importance", "weight", "dimension", "responses", "met", "share_met",
    "discrimination", "no_discrimination_because", "p_reversed", "q_reversed",
    "decides_nothing", "same_as", "concerns", "decided",
)  # fmt: skip


def task_as_dict(row: TaskRow) -> dict[str, Any]:
    """Return a task with its lines, as the command prints it. Shares are from 0 to 1."""
    figures = row.figures
    return {
        "task": row.task.key,
        "domain": row.task.domain,
        "candidates": figures.candidates,
        "responses": len(row.task.responses),
        "other_version": row.task.other_version,
        "mean_score": figures.mean,
        "spread": figures.spread,
        "difficulty": figures.difficulty,
        "discrimination": figures.discrimination,
        "p_reversed": figures.p_reversed,
        "q_reversed": figures.q_reversed,
        "saturated": figures.saturated,
        "without_points": figures.no_points,
        "concerns": [concern.value for concern in figures.concerns],
        "why": as_reasons(figures.why),
        "lines": [line_as_dict(line) for line in row.lines],
    }


def line_as_dict(row: LineRow) -> dict[str, Any]:
    """Return a line's figures."""
    figures = row.figures
    return {
        "line": row.line.number,
        "weight": row.line.weight,
        "responses": figures.responses,
        "met": figures.met,
        "share_met": figures.share,
        "discrimination": figures.discrimination,
        "p_reversed": figures.p_reversed,
        "q_reversed": figures.q_reversed,
        "decides_nothing": figures.idle,
        "same_as": [twin.number for twin in row.twins],
        "concerns": [concern.value for concern in figures.concerns],
        "why": as_reasons(figures.why),
    }


def evidence(analysis: Analysis, row: TaskRow, proposal: Proposal) -> dict[str, Any]:
    """Return what a proposal rests on, to be stored with the decision."""
    figures: dict[str, Any]
    if proposal.line is None:
        figures = task_as_dict(row)
        figures.pop("lines")
    else:
        figures = next(line_as_dict(line) for line in row.lines if line.line == proposal.line)
    run = analysis.judge.run
    return {
        "judge": analysis.judge.name,
        "run": run.pk if run else None,
        "candidates": analysis.candidates,
        "limits": asdict(analysis.limits),
        "figures": figures,
    }


def task_rows(analysis: Analysis) -> Iterator[list[Any]]:
    """Yield the tasks as rows under `TASK_HEAD`."""
    for row in analysis.rows:
        figures = row.figures
        yield [
            row.task.key,
            row.task.title,
            row.task.domain,
            figures.candidates,
            len(row.task.responses),
            row.task.other_version,
            _number(figures.mean),
            _number(figures.spread),
            _number(figures.difficulty),
            _number(figures.discrimination),
            figures.why.get("discrimination", ""),
            _number(figures.p_reversed),
            _number(figures.q_reversed),
            figures.saturated,
            figures.no_points,
            " ".join(figures.concerns),
            _decided(row.proposals),
        ]


def line_rows(analysis: Analysis) -> Iterator[list[Any]]:
    """Yield the lines of all tasks as rows under `LINE_HEAD`."""
    for row in analysis.rows:
        for entry in row.lines:
            line, figures = entry.line, entry.figures
            yield [
                row.task.key,
                line.number,
                line.text,
                line.importance,
                line.weight,
                line.dimension,
                figures.responses,
                figures.met,
                _number(figures.share),
                _number(figures.discrimination),
                figures.why.get("discrimination", ""),
                _number(figures.p_reversed),
                _number(figures.q_reversed),
                "" if figures.idle is None else "yes" if figures.idle else "no",
                " ".join(str(twin.number) for twin in entry.twins),
                " ".join(figures.concerns),
                _decided(entry.proposals),
            ]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _decided(proposals: tuple[Proposal, ...]) -> str:
    return " ".join(f"{p.concern}:{p.outcome.outcome}" for p in proposals if p.outcome)

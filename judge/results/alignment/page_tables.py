"""An alignment report as one table, for a CSV file."""

from collections.abc import Iterator
from typing import Any

from judge.base.stats.numbers import reason_in
from judge.results.alignment.outcome_figures import outcome_rows

TABLE_HEAD = ("judge", "group", "name", "figure", "value", "low", "high", "why")


def table(report: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield every figure of a report (`Alignment.as_dict`) as one row."""
    yield from _figures_of(report["judge"], report)
    yield from _grades(report["judge"], "grades", report.get("grades"))
    experts = dict(report["expert_agreement"])
    yield from _grades(report["judge"], "expert_grades", experts.pop("grades", None))
    for figure, value in (preferences := experts.pop("preferences")).items():
        if figure != "why":
            yield (
                report["judge"], "expert_preferences", "", figure, _blank(value), "", "",
                reason_in(preferences["why"], figure, None),
            )  # fmt: skip
    yield from _ceiling(report["judge"], experts)
    if "outcomes" in report:
        yield from outcome_rows(report["judge"], report["outcomes"])
    if "compare" in report:
        other = report["compare"]
        yield from _figures_of(other["judge"], other)
        yield from _grades(other["judge"], "grades", other.get("grades"))
        gap = other["difference"]
        low, high = gap["ci95"] or ("", "")
        yield (
            report["judge"], "difference", other["judge"], "cdr_micro", _blank(gap["cdr_micro"]),
            low, high, reason_in(gap["why"], "cdr_micro", "ci95"),
        )  # fmt: skip


def _grades(judge: str, group: str, report: dict[str, Any] | None) -> Iterator[tuple[Any, ...]]:
    """Yield the figures on grades; none where nobody graded."""
    for figure, value in (report or {}).items():
        if figure in ("why", "ci95") or report is None:
            continue
        low, high = report["ci95"].get(figure) or ("", "")
        why = reason_in(report["why"], figure, f"{figure}_ci95")
        yield judge, group, "", figure, _blank(value), low, high, why


def _ceiling(judge: str, own: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the figures of the experts' agreement among themselves."""
    intervals = {"cdr_micro": "ci95", "j": "j_ci95"}
    for figure, value in own.items():
        if figure == "why" or figure in intervals.values():
            continue
        low, high = own.get(intervals.get(figure, "")) or ("", "")
        yield (
            judge, "expert_agreement", "", figure, _blank(value), low, high,
            reason_in(own["why"], figure, intervals.get(figure)),
        )  # fmt: skip


def _figures_of(judge: str, report: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    yield from _rows(judge, "all", "", report)
    own = report.get("self_preference")
    if own is not None:
        low, high = own["ci95"] or ("", "")
        yield (
            judge, "self_preference", own["house"] or "", "difference", _blank(own["difference"]),
            low, high, reason_in(own["why"], "difference", "ci95"),
        )  # fmt: skip
    for band in report["reliability"]:
        low, high = band["ci95"] or ("", "")
        name = f"{band['low']:g} to {band['high']:g}"
        yield (
            judge,
            "reliability",
            name,
            "experts",
            band["experts"],
            low,
            high,
            reason_in(band["why"], "experts", "ci95"),
        )
        yield judge, "reliability", name, "judge", band["judge"], "", "", ""
        yield judge, "reliability", name, "responses", band["responses"], "", "", ""
    for group, entries in report["by"].items():
        for name, entry in entries.items():
            yield from _rows(judge, group, name, entry)


_INTERVALS = {
    "cdr_micro": "ci95",
    "cdr_macro": "macro_ci95",
    "j": "j_ci95",
    "mean_bias": "mean_bias_ci95",
}


def _rows(judge: str, group: str, name: str, entry: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    for part in ("preference", "criterion", "score"):
        figures = entry.get(part)
        if figures is None:
            continue
        for figure, value in figures.items():
            if figure == "why" or figure in _INTERVALS.values():
                continue
            low, high = figures.get(_INTERVALS.get(figure, ""), None) or ("", "")
            yield (
                judge, group, name, f"{part}.{figure}", _blank(value), low, high,
                reason_in(figures["why"], figure, _INTERVALS.get(figure)),
            )  # fmt: skip


def _blank(value: Any) -> Any:
    return "" if value is None else value

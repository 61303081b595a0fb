"""Figures of an alignment report as text, each with a gloss that says what it means."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from judge import prose
from judge.alignment import Alignment
from judge.alignment.report import Judgement


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of figures: both judges' values as text, and a gloss."""

    name: str
    first: str
    second: str
    gloss: str


def shown(value: Any, why: Any = None, places: int = 2) -> str:
    """Two decimals and a real minus sign; a dash with the reason where it is undefined."""
    if value is None:
        return f"– ({prose.why(why)})" if why else "–"
    text = f"{float(value):.{places}f}"
    return text.replace("-", "−") if float(text) else text.replace("-", "")


def with_interval(value: Any, interval: Any, why: Any = None) -> str:
    """A value with its interval, in words."""
    if value is None or not interval:
        return shown(value, why)
    return _("%(value)s (95 %% interval %(low)s to %(high)s)") % {
        "value": shown(value),
        "low": shown(interval[0]),
        "high": shown(interval[1]),
    }


def span(interval: Any, why: Any) -> str:
    """An interval in words, or why there is none."""
    if not interval:
        return str(prose.why(why))
    return _("%(low)s to %(high)s") % {"low": shown(interval[0]), "high": shown(interval[1])}


def whole(value: Any) -> str:
    """A count; votes that were split may make it a fraction."""
    return f"{float(value):,.6g}"


def _both(found: Alignment) -> list[Judgement]:
    return [found.judge, *([found.compare] if found.compare else [])]


def pair_figures(found: Alignment) -> Iterator[Figure]:
    """The figures at the level of preferences."""
    reports = [judge.overall.preference for judge in _both(found)]
    first = reports[0]
    assert first is not None

    def row(name: str, gloss: str, text: Any) -> Figure:
        texts = [text(report) for report in reports]
        return Figure(name, texts[0], texts[1] if len(texts) > 1 else "", gloss)

    intervals = [span(r.ci95, r.why.get("ci95")) for r in reports if r is not None]
    yield row(
        _("CDR, all pairs pooled"),
        _("95 %% interval: %(first)s") % {"first": intervals[0]}
        if len(intervals) == 1
        else _("95 %% intervals: %(first)s and %(second)s")
        % {"first": intervals[0], "second": intervals[1]},
        lambda r: shown(r.cdr_micro),
    )
    if found.difference is not None:
        gap = found.difference
        yield Figure(
            _("Difference of the two"),
            shown(gap.cdr_micro),
            "",
            _("%(range)s, paired over %(n)s common tasks")
            % {"range": span(gap.ci95, gap.why.get("ci95")), "n": f"{gap.tasks:,}"},
        )
    yield row(
        _("CDR, mean of tasks"), _("every task weighs the same"), lambda r: shown(r.cdr_macro)
    )
    strict = _("of %(n)s pairs with a preference") % {"n": whole(first.counts.strict)}
    yield row(_("Same order"), strict, lambda r: whole(r.counts.agree))
    yield row(
        _("Reversed"),
        _("the judge prefers the other response"),
        lambda r: whole(r.counts.reversed),
    )
    yield row(
        _("Judge ties"), _("neither right nor reversed"), lambda r: whole(r.counts.judge_ties)
    )
    yield row(
        _("No judge score"),
        _("coverage %(share)s") % {"share": share_of(first.coverage)},
        lambda r: whole(r.counts.missing),
    )
    yield row(_("Experts tie"), _("not counted"), lambda r: whole(r.counts.expert_ties))


def line_figures(found: Alignment) -> Iterator[Figure]:
    """The figures at the level of lines, with the experts' own agreement as the ceiling."""
    reports = [judge.overall.criterion for judge in _both(found)]
    ceiling = found.ceiling
    first = reports[0]

    def row(name: str, gloss: str, key: str, text: Any = None) -> Figure:
        texts = [text(r) if text else shown(getattr(r, key)) for r in reports]
        reason = first.why.get(key) if getattr(first, key) is None else None
        return Figure(
            name,
            texts[0],
            texts[1] if len(texts) > 1 else "",
            str(prose.why(reason)) if reason else gloss,
        )

    yield row(_("Agree minus disagree"), _("never alone: depends on the base rate"), "cdr")
    yield row(_("The same, weighted"), _("every line counts by its weight"), "cdr_weighted")
    yield row(
        _("J, hits minus false alarms"),
        _("0 if the judge always says the same; %(range)s")
        % {"range": span(first.j_ci95, first.why.get("j_ci95"))},
        "j",
    )
    yield row(_("Cohen’s κ"), _("agreement beyond chance"), "kappa")
    yield row(_("Gwet’s AC1"), _("the same, steady for rare answers"), "ac1")
    yield row(_("Macro-F1"), _("met and unmet count alike"), "macro_f1")
    yield row(
        _("Base rate, experts met"),
        _("of %(n)s lines") % {"n": f"{first.cells:,}"},
        "base_rate",
    )
    yield row(
        _("Coverage"),
        _("%(n)s lines without a verdict") % {"n": f"{first.cells - first.confusion.judged:,}"},
        "coverage",
        lambda r: share_of(r.coverage),
    )
    yield Figure(
        _("Experts among themselves, α"),
        shown(ceiling.alpha),
        "",
        _("the ceiling: %(percent)s of %(n)s lines scored by several experts agree")
        % {"percent": share_of(ceiling.percent), "n": f"{ceiling.units:,}"}
        if ceiling.units
        else str(prose.why(ceiling.why.get("alpha"))),
    )


def score_figures(found: Alignment) -> Iterator[Figure]:
    """How close the scores of responses are."""
    reports = [judge.overall.score for judge in _both(found)]
    first = reports[0]
    assert first is not None
    for name, label, gloss in (
        ("pearson", _("Pearson correlation"), _("of %(n)s responses with both scores")),
        ("spearman", _("Spearman correlation"), _("of the order alone")),
        ("kendall", _("Kendall’s τ"), _("pairs in order minus pairs turned")),
        ("mean_bias", _("Mean bias"), _("points of 100; above 0 the judge is kinder")),
        ("mae", _("Mean error"), _("points of 100, either way")),
    ):
        texts = [shown(getattr(report, name)) for report in reports]
        reason = first.why.get(name)
        yield Figure(
            label,
            texts[0],
            texts[1] if len(texts) > 1 else "",
            str(prose.why(reason)) if reason else gloss.replace("%(n)s", f"{first.responses:,}"),
        )


def share_of(share: Any) -> str:
    """A share as percent; a dash without one."""
    return "–" if share is None else prose.percent(float(share))

"""The part of an alignment report on real outcomes, as text and as rows of a table."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text import wording
from judge.base.figures.figures import Figure, format_with_interval
from judge.base.stats.numbers import reason_in

if TYPE_CHECKING:
    # Not at run time: it loads numpy, which costs memory in every process.
    from judge.base.stats.selections import SelectionReport
    from judge.results.alignment.outcomes import OutcomePart


@dataclass(frozen=True, slots=True)
class OutcomeFigures:
    """What the page prints; `summary` says how much the figures rest on."""

    report: "SelectionReport"
    summary: str
    rows: tuple[Figure, ...]


def outcome_figures(part: "OutcomePart | None") -> OutcomeFigures | None:
    """Return the figures of the part; None without one."""
    if part is None:
        return None
    report = part.report
    rows = []
    for name, (words, gloss) in _words().items():
        value = format_with_interval(report.values[name], report.ci95[name], report.why, name)
        rows.append(Figure(words, value, "", gloss))
    return OutcomeFigures(report, _summary(part), tuple(rows))


def _summary(part: "OutcomePart") -> str:
    report = part.report
    said = [
        ngettext(
            "%(n)s recommended profile in %(responses)s responses to %(tasks)s tasks, against "
            "whom %(rater)s chose.",
            "%(n)s recommended profiles in %(responses)s responses to %(tasks)s tasks, against "
            "whom %(rater)s chose.",
            report.cases,
        )
        % {
            "n": f"{report.cases:,}",
            "responses": f"{report.responses:,}",
            "tasks": f"{report.tasks:,}",
            "rater": part.rater or _("the client"),
        }
    ]
    if part.without:
        said.append(
            ngettext(
                "%(n)s judged response is left out: its task has no real outcome.",
                "%(n)s judged responses are left out: their tasks have no real outcome.",
                part.without,
            )
            % {"n": f"{part.without:,}"}
        )
    if part.open:
        said.append(
            ngettext(
                "%(n)s response has no complete judgment.",
                "%(n)s responses have no complete judgment.",
                part.open,
            )
            % {"n": f"{part.open:,}"}
        )
    return wording.sentences(said)


def _words() -> dict[str, tuple[str, str]]:
    return {
        "estimated": (
            _("Re-selection rate, estimated"),
            _("selected by the judge, of the demanded number; mean of responses"),
        ),
        "real": (
            _("Re-selection rate, real"),
            _("really chosen, of the demanded number; mean of responses"),
        ),
        "bias": (_("Estimated minus real"), _("positive: the judge is kinder than the client")),
        "mae": (_("Mean difference"), _("of the two rates of a response, without its sign")),
        "precision": (_("Precision"), _("of those the judge selects, how many were chosen")),
        "recall": (_("Recall"), _("of those chosen, how many the judge selects")),
        "f1": (_("F1"), _("harmonic mean of precision and recall")),
        "kappa": (_("Cohen’s kappa"), _("agreement beyond chance")),
    }


def outcome_rows(judge: str, part: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the figures of the part as rows of the report's table."""
    for name in part["ci95"]:
        low, high = part["ci95"][name] or ("", "")
        value = "" if part[name] is None else part[name]
        why = reason_in(part["why"], name, f"{name}_ci95")
        yield judge, "outcome", part["rater"], name, value, low, high, why
    for name, count in (*part["counts"].items(), ("cases", part["cases"])):
        yield judge, "outcome", part["rater"], name, count, "", "", ""

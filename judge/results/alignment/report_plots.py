"""The reliability plot and the plot on more labels, with their captions and tables."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text import wording
from judge.base.figures import plots, sentences
from judge.base.figures.figures import format_number
from judge.base.stats.numbers import FEWEST_TASKS
from judge.base.stats.trust import CheckName

if TYPE_CHECKING:
    from judge.base.stats.reliability import Band
    from judge.results.alignment.report import Alignment


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture and its caption; both are "" if there is nothing to draw."""

    picture: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class BandRow:
    """One band as a row of the table under the picture."""

    band: str
    responses: str
    judge: str
    experts: str
    interval: str


def reliability(found: "Alignment") -> tuple[Plot, tuple[BandRow, ...]]:
    """Draw the experts' mean score by band of the judge's score, with the rows of its table."""
    bands = found.judge.reliability
    if not bands:
        return Plot(), ()
    finding = _reliability_finding(bands)
    picture = plots.reliability(
        [
            plots.BandMark(
                100 * band.judge,
                100 * band.experts,
                (100 * band.ci95[0], 100 * band.ci95[1]) if band.ci95 else None,
                band.responses,
            )
            for band in bands
        ],
        title=finding,
        x_label=_("Judge score, mean of the band; below: responses"),
        y_label=_("Experts’ mean"),
    )
    rows = tuple(
        BandRow(
            _("%(low)s to %(high)s")
            % {"low": f"{100 * band.low:.0f}", "high": f"{100 * band.high:.0f}"},
            f"{band.responses:,}",
            f"{100 * band.judge:.1f}",
            f"{100 * band.experts:.1f}",
            f"{100 * band.ci95[0]:.1f}–{100 * band.ci95[1]:.1f}" if band.ci95 else "–",
        )
        for band in bands
    )
    return Plot(picture, finding), rows


def _reliability_finding(bands: "tuple[Band, ...]") -> str:
    """Say in which bands the judge's mean lies outside the experts' interval."""
    known = sum(band.ci95 is not None for band in bands)
    kind = [band for band in bands if band.ci95 and band.judge > band.ci95[1]]
    strict = [band for band in bands if band.ci95 and band.judge < band.ci95[0]]
    worst = max(
        kind + strict, key=lambda band: abs(band.judge - band.experts), default=None
    )  # fmt: skip
    if not known:
        return _(
            "No band has an interval yet: each needs responses to at least %(least)s tasks."
        ) % {"least": FEWEST_TASKS}
    if worst is None and known < len(bands):
        return ngettext(
            "In the %(n)s of %(all)s bands that has an interval, it holds the judge’s mean. The "
            "others need responses to at least %(least)s tasks.",
            "In the %(n)s of %(all)s bands that have an interval, it holds the judge’s mean. The "
            "others need responses to at least %(least)s tasks.",
            known,
        ) % {"n": known, "all": len(bands), "least": FEWEST_TASKS}
    if worst is None:
        return _(
            "In every band the experts’ interval holds the judge’s mean: its numbers mean what "
            "the experts mean by them."
        )
    values = {
        "judge": f"{100 * worst.judge:.0f}",
        "experts": f"{100 * worst.experts:.0f}",
        "bands": len(kind) + len(strict),
        "all": len(bands),
    }
    return (
        ngettext(
            "In %(bands)s of %(all)s bands the judge’s mean lies outside the experts’ interval: "
            "where it gives %(judge)s points on average, they give %(experts)s.",
            "In %(bands)s of %(all)s bands the judge’s mean lies outside the experts’ interval; "
            "furthest where it gives %(judge)s points on average and they give %(experts)s.",
            len(kind) + len(strict),
        )
        % values
    )


def more_labels(found: "Alignment") -> Plot:
    """Draw how the interval of the CDR narrows with more tasks until it passes its threshold."""
    report = found.judge.overall.preference
    assert report is not None
    if report.cdr_micro is None or report.ci95 is None:
        return Plot(
            caption=_("The CDR has no interval yet: %(why)s.")
            % {"why": sentences.reason_text(report.why.get("cdr_micro") or report.why.get("ci95"))}
        )
    limits = found.trust.thresholds
    (check,) = [c for c in found.trust.ranking.checks if c.name == CheckName.CDR_LOWER]
    more = check.more_tasks if not check.passed else None
    outlook = plots.Outlook(
        estimate=float(report.cdr_micro),
        interval=report.ci95,
        tasks=report.tasks,
        required=limits.cdr_lower,
        settled=None if more is None or not check.expected else report.tasks + more,
    )
    width = report.ci95[1] - report.ci95[0]
    now = ngettext(
        "The CDR of %(n)s task has an interval %(width)s wide; four times as many tasks halve it.",
        "The CDR of %(n)s tasks has an interval %(width)s wide; four times as many tasks halve it.",
        report.tasks,
    ) % {"n": f"{report.tasks:,}", "width": format_number(width)}
    few = limits.tasks if report.tasks < limits.tasks else 0
    finding = wording.sentences(
        [now, _settling(outlook, passed=check.passed, expected=check.expected, few=few)]
    )
    picture = plots.outlook(
        outlook,
        title=finding,
        axis=_("Tasks with a preference of the experts"),
        now=_("now"),
        required=_("required: %(value)s") % {"value": format_number(limits.cdr_lower)},
        settled=_("%(n)s tasks") % {"n": f"{outlook.settled or 0:,}"},
    )
    return Plot(picture, finding)


def _settling(outlook: plots.Outlook, *, passed: bool, expected: bool | None, few: int) -> str:
    required = format_number(outlook.required)
    if passed and few:
        return _(
            "Its lower end is above the required %(required)s, but %(tasks)s tasks are required "
            "too."
        ) % {"required": required, "tasks": few}
    if passed:
        return _("Its lower end is already above the required %(required)s.") % {
            "required": required
        }
    if outlook.settled is not None:
        return _(
            "If the CDR stays where it is, its lower end passes %(required)s at about %(n)s tasks."
        ) % {"required": required, "n": f"{outlook.settled:,}"}
    if expected is False:
        return _(
            "The CDR itself is below the required %(required)s; more tasks would only confirm it."
        ) % {"required": required}
    return _("More tasks of the same kind would not tell whether it reaches %(required)s.") % {
        "required": required
    }

"""The two plots at the foot of the alignment report, with their captions and tables."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.text.wording import sentences
from judge.figures import plots
from judge.figures import sentences as prose
from judge.figures.figures import shown
from judge.stats.trust import CheckName

if TYPE_CHECKING:
    from judge.alignment.report import Alignment
    from judge.stats.reliability import Band


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture and what it says; both are empty where there is nothing to draw."""

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
    """What the experts say where the judge gives so many points."""
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
    """Where the judge means something else than the experts by the same number."""
    kind = [band for band in bands if band.ci95 and band.judge > band.ci95[1]]
    strict = [band for band in bands if band.ci95 and band.judge < band.ci95[0]]
    worst = max(
        kind + strict, key=lambda band: abs(band.judge - band.experts), default=None
    )  # fmt: skip
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
    """How the interval of the CDR narrows with more tasks, and when it clears its threshold."""
    report = found.judge.overall.preference
    assert report is not None
    if report.cdr_micro is None or report.ci95 is None:
        return Plot()
    if report.ci95[0] == report.ci95[1]:
        return Plot(caption=_all_alike(report.tasks))
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
    ) % {"n": f"{report.tasks:,}", "width": shown(width)}
    few = limits.tasks if report.tasks < limits.tasks else 0
    finding = sentences(
        [now, _settling(outlook, passed=check.passed, expected=check.expected, few=few)]
    )
    picture = plots.outlook(
        outlook,
        title=finding,
        axis=_("Tasks with a preference of the experts"),
        now=_("now"),
        required=_("asked for: %(value)s") % {"value": shown(limits.cdr_lower)},
        settled=_("%(n)s tasks") % {"n": f"{outlook.settled or 0:,}"},
    )
    return Plot(picture, finding)


def _all_alike(tasks: int) -> str:
    """What an interval of no width leaves open: the rule of three, exactly 1 - 0.05^(1/n)."""
    return ngettext(
        "%(n)s task says the same, so its resamples have no spread and the interval no width. "
        "Up to %(share)s of all such tasks may still say something else.",
        "All %(n)s tasks say the same, so their resamples have no spread and the interval no "
        "width. Up to %(share)s of all such tasks may still say something else.",
        tasks,
    ) % {"n": f"{tasks:,}", "share": prose.percent(round(1 - 0.05 ** (1 / tasks), 2))}


def _settling(outlook: plots.Outlook, *, passed: bool, expected: bool | None, few: int) -> str:
    required = shown(outlook.required)
    if passed and few:
        return _(
            "Its lower end lies above the %(required)s asked for, but %(tasks)s tasks are asked "
            "for too."
        ) % {"required": required, "tasks": few}
    if passed:
        return _("Its lower end lies above the %(required)s asked for already.") % {
            "required": required
        }
    if outlook.settled is not None:
        return _(
            "If the CDR stays where it is, its lower end passes %(required)s at about %(n)s tasks."
        ) % {"required": required, "n": f"{outlook.settled:,}"}
    if expected is False:
        return _(
            "The CDR itself lies below the %(required)s asked for; more tasks would only confirm "
            "it."
        ) % {"required": required}
    return _("More tasks of the same kind would not tell whether it reaches %(required)s.") % {
        "required": required
    }

"""What a comparison of two variants says, in words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from curation.base.text.wording import decimal, percent
from judge.base.figures.sentences import reason_text
from judge.base.stats.numbers import Interval
from judge.base.stats.paired_figures import ChangeKind, Outcome
from judge.base.stats.trust import tasks_to_settle
from judge.results.workshop.models import JudgeExperiment

if TYPE_CHECKING:
    from judge.results.workshop.compare import Comparison

Measure = JudgeExperiment.Measure

_BETTER: Mapping[str, Any] = {
    Measure.AGREEMENT: gettext_lazy(
        "<b>%(second)s</b> agrees with the experts more often than <b>%(first)s</b>: on %(new)s of "
        "the lines instead of %(old)s. The difference is larger than chance explains."
    ),
    Measure.J: gettext_lazy(
        "<b>%(second)s</b> is better than <b>%(first)s</b> on single lines: J is %(new)s instead "
        "of %(old)s. The difference is larger than chance explains."
    ),
    Measure.CDR: gettext_lazy(
        "<b>%(second)s</b> orders responses more like the experts than <b>%(first)s</b>: the CDR "
        "is %(new)s instead of %(old)s. The difference is larger than chance explains."
    ),
}
_WORSE: Mapping[str, Any] = {
    Measure.AGREEMENT: gettext_lazy(
        "<b>%(second)s</b> agrees with the experts less often than <b>%(first)s</b>: on %(new)s of "
        "the lines instead of %(old)s. The difference is larger than chance explains."
    ),
    Measure.J: gettext_lazy(
        "<b>%(second)s</b> is worse than <b>%(first)s</b> on single lines: J is %(new)s instead of "
        "%(old)s. The difference is larger than chance explains."
    ),
    Measure.CDR: gettext_lazy(
        "<b>%(second)s</b> orders responses less like the experts than <b>%(first)s</b>: the CDR "
        "is %(new)s instead of %(old)s. The difference is larger than chance explains."
    ),
}


def headline(found: "Comparison") -> SafeString:
    """Return the sentences on top: which is better by the measure that decides, and what changed.

    Names are escaped; the markup is only <b> from the source.
    """
    experiment = found.experiment
    figure = found.figure(experiment.measure)
    values = {
        "first": escape(experiment.first.name),
        "second": escape(experiment.second.name),
        "old": value_of(experiment.measure, figure.first),
        "new": value_of(experiment.measure, figure.second),
    }
    if not found.responses:
        sentence = _("There is nothing to compare: no response was judged by both variants.")
    elif figure.outcome is Outcome.BETTER:
        sentence = _BETTER[experiment.measure] % values
    elif figure.outcome is Outcome.WORSE:
        sentence = _WORSE[experiment.measure] % values
    elif not found.changes:
        sentence = (
            _("<b>%(first)s</b> and <b>%(second)s</b> gave the same verdict on every line.")
            % values
        )
    elif figure.difference is None or (figure.ci95 is None and figure.outcome is Outcome.UNKNOWN):
        name = "difference" if figure.difference is None else "ci95"
        sentence = _("<b>%(first)s</b> and <b>%(second)s</b> cannot be compared yet: %(why)s.") % {
            **values,
            "why": reason_text(figure.why.get(name)),
        }
    else:
        sentence = (
            _("These tasks cannot tell <b>%(first)s</b> and <b>%(second)s</b> apart.") % values
        )
    return mark_safe(sentence)  # noqa: S308 - names are escaped, the rest is ours


def more_tasks(found: "Comparison", measure: str) -> str:
    """Say about how many more scored tasks would settle a difference; "" if it is settled."""
    figure = found.figure(measure)
    if figure.outcome in (Outcome.BETTER, Outcome.WORSE) or not found.changes:
        return ""
    if figure.outcome is Outcome.SAME:
        return _("So far there is no difference that more tasks could confirm.")
    if figure.difference is None or figure.ci95 is None:
        return ""
    more, _above = tasks_to_settle(0.0, float(figure.difference), figure.ci95, figure.tasks)
    if more is None:
        return _("So far there is no difference that more tasks could confirm.")
    return ngettext(
        "About %(n)s more scored task would settle it, if the difference stays as it is.",
        "About %(n)s more scored tasks would settle it, if the difference stays as it is.",
        max(1, more),
    ) % {"n": f"{max(1, more):,}"}


def changed(found: "Comparison") -> str:
    """Say how many verdicts changed, and to what effect."""
    total = len(found.changes)
    if not total:
        return ""
    return ngettext(
        "%(n)s of %(lines)s lines has another verdict: %(fixed)s fixed, %(broken)s broken, "
        "%(neither)s neither.",
        "%(n)s of %(lines)s lines have another verdict: %(fixed)s fixed, %(broken)s broken, "
        "%(neither)s neither.",
        total,
    ) % {
        "n": f"{total:,}",
        "lines": f"{found.lines:,}",
        "fixed": f"{found.count(ChangeKind.FIXED):,}",
        "broken": f"{found.count(ChangeKind.BROKEN):,}",
        "neither": f"{found.count(ChangeKind.NEITHER):,}",
    }


def value_of(measure: str, value: Any) -> str:
    """Format a figure: agreement as percent, J and CDR with two decimals."""
    if value is None:
        return "–"
    return percent(value, 1) if measure == Measure.AGREEMENT else decimal(value)


def difference_of(measure: str, value: Any) -> str:
    """Format a difference with its sign: agreement in points of 100, J and CDR as they are."""
    if value is None:
        return "–"
    number = 100 * float(value) if measure == Measure.AGREEMENT else float(value)
    text = decimal(number, 1 if measure == Measure.AGREEMENT else 2)
    return f"+{text}" if number > 0 and text.strip("0.,") else text


def interval_of(measure: str, interval: Interval | None) -> str:
    """Format the interval of a difference; "" without one."""
    if interval is None:
        return ""
    return _("%(low)s to %(high)s") % {
        "low": difference_of(measure, interval[0]),
        "high": difference_of(measure, interval[1]),
    }


OUTCOMES: Mapping[Outcome, Any] = {
    Outcome.BETTER: gettext_lazy("better"),
    Outcome.WORSE: gettext_lazy("worse"),
    Outcome.SAME: pgettext_lazy("a result", "the same"),
    Outcome.UNKNOWN: gettext_lazy("cannot tell apart"),
}
KINDS: Mapping[ChangeKind, Any] = {
    ChangeKind.FIXED: gettext_lazy("Fixed"),
    ChangeKind.BROKEN: gettext_lazy("Broken"),
    ChangeKind.NEITHER: gettext_lazy("Neither"),
}

"""Sentences that say whether a judge may be trusted, and what is missing if not.

Each sentence is translated as a whole; only numbers are filled in. The markup is only <b> from the
source and names are escaped, so the sentences are safe HTML; `Verdict.plain` strips the markup.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.text.wording import percent
from judge.base.stats.numbers import FEWEST_TASKS, Reason
from judge.base.stats.trust import Check, CheckName, Finding, Thresholds, Trust

if TYPE_CHECKING:
    from judge.base.stats.preference import PreferenceReport

REASON_TEXTS: Mapping[Reason, Any] = {
    Reason.NO_PAIRS: gettext_lazy("the experts prefer no response to another"),
    Reason.NO_CELLS: gettext_lazy("there are no lines that experts and judge both marked"),
    Reason.NONE_JUDGED: gettext_lazy("the judge gave no verdict"),
    Reason.ONE_CLASS: gettext_lazy("only one kind of verdict occurs"),
    Reason.NO_WEIGHT: gettext_lazy("the lines have no weight"),
    Reason.NO_SCORES: gettext_lazy("there are no scores from lines"),
    Reason.ONE_RESPONSE: gettext_lazy("fewer than two responses have both scores"),
    Reason.CONSTANT: gettext_lazy("all scores are equal"),
    Reason.ONE_TASK: gettext_lazy("fewer than two tasks: chance cannot be told from skill"),
    Reason.FEW_TASKS: format_lazy(
        gettext_lazy("an interval needs at least {n} tasks"), n=FEWEST_TASKS
    ),
    Reason.FEW_TASKS_TO_RANK: gettext_lazy("too few tasks to tell any two apart"),
    Reason.NO_SPREAD: gettext_lazy("an interval needs tasks that differ"),
    Reason.NO_RESAMPLES: gettext_lazy("no resamples were asked for"),
    Reason.NO_COMMON_TASKS: gettext_lazy("the two judges have no task in common"),
    Reason.NO_OVERLAP: gettext_lazy("no response was scored by two experts"),
    Reason.NOT_TWO_RATERS: gettext_lazy("it is defined for exactly two raters"),
    Reason.NO_COMPARISON: gettext_lazy("there is nothing to compare with"),
    Reason.NOTHING_OWN: gettext_lazy(
        "it needs responses of the judge’s own house and of another one"
    ),
    Reason.NOT_MEASURED: gettext_lazy("it was not measured"),
    Reason.FEW_CANDIDATES: gettext_lazy("too few candidates have a score"),
    Reason.FEW_RESPONSES: gettext_lazy("too few responses have all verdicts"),
    Reason.ONE_LINE: gettext_lazy("the task has no other line"),
    Reason.NO_SPREAD_IN_THE_REST: gettext_lazy("all do equally well in the rest"),
    Reason.ALL_RIGHT: gettext_lazy("everything is right, so it has no finite estimate"),
    Reason.ALL_WRONG: gettext_lazy("everything is wrong, so it has no finite estimate"),
    Reason.ALL_EQUAL: gettext_lazy("all scores are equal, so nothing is told apart"),
    Reason.ONE_MEASURED_TASK: gettext_lazy("it was measured on one task alone"),
    Reason.ONE_MEASURED_VERSION: gettext_lazy("one version alone was measured on it"),
    Reason.NOTHING_LEFT: gettext_lazy("fewer than two of its scores tell anything apart"),
    Reason.DISCONNECTED: gettext_lazy("no common task or version links it with the reference"),
    Reason.WEAK_LINK: gettext_lazy(
        "too few common tasks and versions link its period with the reference"
    ),
    Reason.ONE_DATE: gettext_lazy("it has an ability in one period alone"),
    Reason.NO_DATE: gettext_lazy("the date of a period is unknown"),
}


def reason_text(reason: Reason | str | None) -> str:
    """Return the text of a reason of the statistics; "" for None."""
    return str(REASON_TEXTS[Reason(reason)]) if reason else ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The main sentences about a judge, and one for each missed threshold."""

    sentences: tuple[SafeString, ...]
    missed: tuple[str, ...]

    @property
    def plain(self) -> str:
        """Return the main sentences without markup, for a terminal."""
        return " ".join(re.sub(r"</?b>", "", sentence) for sentence in self.sentences)


def verdict(
    trust: Trust,
    preference: "PreferenceReport",
    *,
    bias: float | None,
    compared: bool,
    domain: str = "",
) -> Verdict:
    """Return the sentences that say what a judge may be used for.

    Args:
        bias: mean bias in points of 100; positive if the judge is kinder than the experts.
        compared: whether there is a judge to compare with.
        domain: name of the only domain of the report; "" for all domains.
    """
    sentences = [_ranking(trust.ranking, preference)]
    if domain:
        named = {"domain": escape(domain)}
        sentences.insert(0, _("This is about <b>%(domain)s</b> alone.") % named)
    if compared:
        sentences.append(_compared(trust))
    sentences.append(_single(trust.single_answers, bias, trust.thresholds))
    failed = list(trust.ranking.failed)
    if compared and not trust.worse:
        failed += trust.better_than_zero_shot.failed
    failed += trust.single_answers.failed
    return Verdict(
        tuple(mark_safe(sentence) for sentence in sentences),  # noqa: S308 - ours, or escaped
        tuple(_missed(check) for check in failed),
    )


def _ranking(finding: Finding, preference: "PreferenceReport") -> str:
    strict = preference.counts.strict
    if not strict:
        return _(
            "This judge cannot be measured at <b>ranking</b> yet: the experts prefer no response "
            "of a task to another."
        )
    numbers = {
        "agree": format_count(preference.counts.agree),
        "reversed": format_count(preference.counts.reversed),
        "pairs": format_count(strict),
    }
    if finding.answer:
        return (
            _(
                "This judge can stand in for an expert when <b>ranking</b> candidates: it orders "
                "<b>%(agree)s of %(pairs)s</b> pairs as the experts do and reverses "
                "<b>%(reversed)s</b>."
            )
            % numbers
        )
    return (
        _(
            "Do not use this judge for <b>ranking</b> candidates yet: it orders <b>%(agree)s of "
            "%(pairs)s</b> pairs as the experts do and reverses <b>%(reversed)s</b>."
        )
        % numbers
    )


def _compared(trust: Trust) -> str:
    finding = trust.better_than_zero_shot
    check = finding.checks[0]
    if trust.worse:
        return _(
            "It is worse than the judge it is compared with, and the difference is larger than "
            "chance explains."
        )
    if finding.answer:
        return _(
            "It is better than the judge it is compared with, and the difference is larger than "
            "chance explains."
        )
    if check.actual is None:
        return _("It cannot be told apart from the judge it is compared with: %(why)s.") % {
            "why": reason_text(check.why)
        }
    return _("These tasks cannot tell it apart from the judge it is compared with.")


def _single(finding: Finding, bias: float | None, limits: Thresholds) -> str:
    if finding.answer:
        return _("It may also be used for <b>single responses</b>.")
    if all(check.actual is None for check in finding.checks):
        return _("Nothing is known about <b>single responses</b> yet: %(why)s.") % {
            "why": reason_text(finding.checks[0].why)
        }
    if bias is not None and bias > limits.mean_bias:
        return _("Do not use it yet for <b>single responses</b>: it is too lenient.")
    if bias is not None and bias < -limits.mean_bias:
        return _("Do not use it yet for <b>single responses</b>: it is too strict.")
    return _("Do not use it yet for <b>single responses</b>.")


# -- thresholds -----------------------------------------------------------------------------------


def _missed(check: Check) -> str:
    """Return the sentence on a missed threshold, with the tasks needed if they are known."""
    if check.actual is None:
        return _UNDEFINED[check.name] % {"why": reason_text(check.why)}
    values = {
        "actual": (format_count if check.name in _COUNTS else format_decimal)(check.actual),
        "required": (format_count if check.name in _COUNTS else format_decimal)(check.required),
        "shortfall": format_decimal(check.shortfall or 0.0),
        "share": percent(check.actual, 1),
        "share_required": percent(check.required, 1),
    }
    sentence = str(_MISSED[check.name]) % values
    settled = _settled(check)
    return (
        _("%(sentence)s %(settled)s") % {"sentence": sentence, "settled": settled}
        if settled
        else sentence
    )


def _settled(check: Check) -> str:
    if not check.more_tasks:
        return ""
    values = {"n": f"{check.more_tasks:,}"}
    if check.expected:
        return (
            ngettext(
                "About %(n)s more labelled task would settle it, if the judge stays as good.",
                "About %(n)s more labelled tasks would settle it, if the judge stays as good.",
                check.more_tasks,
            )
            % values
        )
    return (
        ngettext(
            "About %(n)s more labelled task would probably confirm that it is not reached.",
            "About %(n)s more labelled tasks would probably confirm that it is not reached.",
            check.more_tasks,
        )
        % values
    )


_MISSED: Mapping[CheckName, Any] = {
    CheckName.CDR_LOWER: gettext_lazy(
        "Ranking: the lower bound of the CDR is %(actual)s; %(required)s is required, so it is "
        "%(shortfall)s short."
    ),
    CheckName.TASKS: gettext_lazy(
        "Ranking: tasks on which the experts have a preference: %(actual)s; at least "
        "%(required)s are required."
    ),
    CheckName.STRICT_PAIRS: gettext_lazy(
        "Ranking: pairs on which the experts have a preference: %(actual)s; at least "
        "%(required)s are required."
    ),
    CheckName.COVERAGE: gettext_lazy(
        "Ranking: %(share)s of the pairs have a judge score; at least %(share_required)s is "
        "required."
    ),
    CheckName.BETTER: gettext_lazy(
        "Comparison: the interval of the difference reaches down to %(actual)s, so it may be "
        "chance."
    ),
    CheckName.J_LOWER: gettext_lazy(
        "Single responses: the lower bound of J is %(actual)s; %(required)s is required, so it "
        "is %(shortfall)s short."
    ),
    CheckName.MEAN_BIAS: gettext_lazy(
        "Single responses: the mean bias is %(actual)s points; at most %(required)s in either "
        "direction is accepted."
    ),
}
_UNDEFINED: Mapping[CheckName, Any] = {
    CheckName.CDR_LOWER: gettext_lazy("Ranking: the CDR has no interval: %(why)s."),
    CheckName.TASKS: gettext_lazy("Ranking: no task can be counted: %(why)s."),
    CheckName.STRICT_PAIRS: gettext_lazy("Ranking: no pair can be counted: %(why)s."),
    CheckName.COVERAGE: gettext_lazy("Ranking: there is no coverage: %(why)s."),
    CheckName.BETTER: gettext_lazy("Comparison: the difference has no interval: %(why)s."),
    CheckName.J_LOWER: gettext_lazy("Single responses: J has no interval: %(why)s."),
    CheckName.MEAN_BIAS: gettext_lazy("Single responses: there is no mean bias: %(why)s."),
}


_COUNTS = (CheckName.TASKS, CheckName.STRICT_PAIRS)


def format_count(value: Any) -> str:
    """Format a count with at most two decimals; split votes can make it a fraction."""
    return f"{float(value):,.2f}".rstrip("0").rstrip(".")


def format_decimal(value: float) -> str:
    """Format a number with at most two decimals, none if it is whole, and a minus sign."""
    text = f"{value:,.0f}" if float(value).is_integer() and abs(value) > 1 else f"{value:,.2f}"
    return text.replace("-", "−")

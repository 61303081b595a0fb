"""Plain sentences about a judge: may it be trusted, and if not, what is missing.

Every sentence is whole, so that it can be translated; only numbers are filled in. The words in
bold are ours, so the sentences are safe to print as HTML; `plain` strips them for a terminal.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.text.figures import percent
from judge.stats.reasons import Why
from judge.stats.trust import Check, CheckName, Finding, Thresholds, Trust

if TYPE_CHECKING:
    from judge.stats.preference import PreferenceReport

WHY: Mapping[Why, Any] = {
    Why.NO_PAIRS: gettext_lazy("the experts prefer no response to another"),
    Why.NO_CELLS: gettext_lazy("there are no lines that experts and judge both marked"),
    Why.NONE_JUDGED: gettext_lazy("the judge gave no verdict"),
    Why.ONE_CLASS: gettext_lazy("only one kind of verdict occurs"),
    Why.NO_WEIGHT: gettext_lazy("the lines have no weight"),
    Why.NO_SCORES: gettext_lazy("there are no scores from lines"),
    Why.ONE_RESPONSE: gettext_lazy("fewer than two responses have both scores"),
    Why.CONSTANT: gettext_lazy("all scores are equal"),
    Why.ONE_TASK: gettext_lazy("fewer than two tasks: chance cannot be told from skill"),
    Why.NO_RESAMPLES: gettext_lazy("no resamples were asked for"),
    Why.NO_COMMON_TASKS: gettext_lazy("the two judges have no task in common"),
    Why.NO_OVERLAP: gettext_lazy("no response was scored by two experts"),
    Why.NOT_TWO_RATERS: gettext_lazy("it is defined for exactly two raters"),
    Why.NO_COMPARISON: gettext_lazy("there is nothing to compare with"),
    Why.NOTHING_OWN: gettext_lazy("it needs responses of the judge’s own house and of another one"),
    Why.NOT_MEASURED: gettext_lazy("it was not measured"),
}


def why(reason: Why | str | None) -> str:
    """A reason of the statistics in the reader's words; "" for none."""
    return str(WHY[Why(reason)]) if reason else ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The sentences on top, and one on each threshold that was missed."""

    sentences: tuple[SafeString, ...]
    missed: tuple[str, ...]

    @property
    def plain(self) -> str:
        """The sentences on top without marks, for a terminal."""
        return " ".join(re.sub(r"</?b>", "", sentence) for sentence in self.sentences)


def verdict(
    trust: Trust,
    preference: "PreferenceReport",
    *,
    bias: float | None,
    compared: bool,
    domain: str = "",
) -> Verdict:
    """What may rest on this judge.

    Args:
        bias: mean bias in points of 100, positive where the judge is the kinder one.
        compared: whether there is another judge to be better than.
        domain: name of the only domain that was looked at; "" for all.
    """
    sentences = [_ranking(trust.ranking, preference)]
    if domain:
        named = {"domain": escape(domain)}
        sentences.insert(0, _("This is about <b>%(domain)s</b> alone.") % named)
    if compared:
        sentences.append(_better(trust.better_than_zero_shot))
    sentences.append(_single(trust.single_answers, bias, trust.thresholds))
    failed = list(trust.ranking.failed)
    if compared:
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
        "agree": tally(preference.counts.agree),
        "reversed": tally(preference.counts.reversed),
        "pairs": tally(strict),
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


def _better(finding: Finding) -> str:
    check = finding.checks[0]
    if finding.answer:
        return _(
            "It is better than the judge it is compared with, and the difference is larger than "
            "chance explains."
        )
    if check.actual is None:
        return _("It cannot be told from the judge it is compared with: %(why)s.") % {
            "why": why(check.why)
        }
    return _("These tasks cannot tell it apart from the judge it is compared with.")


def _single(finding: Finding, bias: float | None, limits: Thresholds) -> str:
    if finding.answer:
        return _("It may also be used for <b>single answers</b>.")
    if all(check.actual is None for check in finding.checks):
        return _("About <b>single answers</b> nothing is known: %(why)s.") % {
            "why": why(finding.checks[0].why)
        }
    if bias is not None and bias > limits.mean_bias:
        return _("Do not use it yet for <b>single answers</b>: it is too kind.")
    if bias is not None and bias < -limits.mean_bias:
        return _("Do not use it yet for <b>single answers</b>: it is too strict.")
    return _("Do not use it yet for <b>single answers</b>.")


# -- thresholds -----------------------------------------------------------------------------------


def _missed(check: Check) -> str:
    """One sentence on a missed threshold, with what would settle it where that is known."""
    if check.actual is None:
        return _UNDEFINED[check.name] % {"why": why(check.why)}
    values = {
        "actual": (tally if check.name in _COUNTS else number)(check.actual),
        "required": (tally if check.name in _COUNTS else number)(check.required),
        "shortfall": number(check.shortfall or 0.0),
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
        "Ranking: the lower bound of the CDR is %(actual)s; %(required)s is asked for, so "
        "%(shortfall)s is missing."
    ),
    CheckName.TASKS: gettext_lazy(
        "Ranking: tasks with a preference of the experts: %(actual)s; at least %(required)s are "
        "asked for."
    ),
    CheckName.STRICT_PAIRS: gettext_lazy(
        "Ranking: pairs with a preference of the experts: %(actual)s; at least %(required)s are "
        "asked for."
    ),
    CheckName.COVERAGE: gettext_lazy(
        "Ranking: %(share)s of the pairs have a judge score; at least %(share_required)s is asked "
        "for."
    ),
    CheckName.BETTER: gettext_lazy(
        "Comparison: the interval of the difference reaches down to %(actual)s, so it may be "
        "chance."
    ),
    CheckName.J_LOWER: gettext_lazy(
        "Single answers: the lower bound of J is %(actual)s; %(required)s is asked for, so "
        "%(shortfall)s is missing."
    ),
    CheckName.MEAN_BIAS: gettext_lazy(
        "Single answers: the mean bias is %(actual)s points; at most %(required)s either way is "
        "accepted."
    ),
}
_UNDEFINED: Mapping[CheckName, Any] = {
    CheckName.CDR_LOWER: gettext_lazy("Ranking: the CDR has no interval: %(why)s."),
    CheckName.TASKS: gettext_lazy("Ranking: no task can be counted: %(why)s."),
    CheckName.STRICT_PAIRS: gettext_lazy("Ranking: no pair can be counted: %(why)s."),
    CheckName.COVERAGE: gettext_lazy("Ranking: there is no coverage: %(why)s."),
    CheckName.BETTER: gettext_lazy("Comparison: the difference has no interval: %(why)s."),
    CheckName.J_LOWER: gettext_lazy("Single answers: J has no interval: %(why)s."),
    CheckName.MEAN_BIAS: gettext_lazy("Single answers: there is no mean bias: %(why)s."),
}


_COUNTS = (CheckName.TASKS, CheckName.STRICT_PAIRS)


def tally(value: Any) -> str:
    """A count; votes that were split may make it a fraction, with at most two decimals."""
    return f"{float(value):,.2f}".rstrip("0").rstrip(".")


def number(value: float) -> str:
    """At most two decimals, a real minus sign, no decimals where the number is whole."""
    text = f"{value:,.0f}" if float(value).is_integer() and abs(value) > 1 else f"{value:,.2f}"
    return text.replace("-", "−")

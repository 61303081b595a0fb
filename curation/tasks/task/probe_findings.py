"""The finding of a probing and its sentences. Pure functions, apart from the active language."""

from collections.abc import Mapping
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext


class Finding(TextChoices):
    UNKNOWN = "unknown", gettext_lazy("Not measured")
    FAIR = "fair", gettext_lazy("Within the limits")
    EASY = "easy", gettext_lazy("Too easy")
    SUSPECT = "suspect", gettext_lazy("Suspect")


def classify(passed: int, graded: int, easy_percent: int, suspect_percent: int) -> Finding:
    """Classify a pass rate: too easy above one limit, suspect below the other.

    Compares whole numbers, without rounding; a rate equal to a limit is within it.
    """
    if not graded:
        return Finding.UNKNOWN
    if 100 * passed > easy_percent * graded:
        return Finding.EASY
    if 100 * passed < suspect_percent * graded:
        return Finding.SUSPECT
    return Finding.FAIR


def sentences(finding: str, probing: Mapping[str, Any]) -> list[str]:
    """Return the sentences of `_sentences`, with no-break spaces before per cent signs."""
    return [sentence.replace(" %", "\u00a0%") for sentence in _sentences(finding, probing)]


def _sentences(finding: str, probing: Mapping[str, Any]) -> list[str]:
    """Word the finding in the reader's language: the counts, their meaning, the grading.

    Args:
        probing: as stored with the screening (`judge.suggesting.probes` writes it). Empty for
        a
            screening without any probing on record.
    """
    if probing.get("problem") or not probing.get("graded"):
        return [_unknown(probing)]
    texts = [_counts(probing)]
    if finding == Finding.EASY:
        texts.append(
            _("That is above the limit of %(limit)s %%: too easy for today's models.")
            % {"limit": probing["easy"]}
        )
    elif finding == Finding.SUSPECT:
        texts.append(
            _(
                "That is under the limit of %(limit)s %%: the prompt is very hard, or its "
                "reference answer has a fault. A second expert checks the answer first."
            )
            % {"limit": probing["suspect"]}
        )
    else:
        texts.append(
            _("That is within the limits of %(low)s and %(high)s %%.")
            % {"low": probing["suspect"], "high": probing["easy"]}
        )
    return [*texts, *caveats(probing)]


def _counts(probing: Mapping[str, Any]) -> str:
    graded, passed = probing["graded"], probing["passed"]
    return ngettext(
        "%(passed)s of %(n)s answer passed, a rate of %(rate)s %% (95 %% interval: %(low)s to "
        "%(high)s %%). An answer passes with %(solved)s %% of the checklist's weight.",
        "%(passed)s of %(n)s answers passed, a rate of %(rate)s %% (95 %% interval: %(low)s to "
        "%(high)s %%). An answer passes with %(solved)s %% of the checklist's weight.",
        graded,
    ) % {
        "passed": passed,
        "n": graded,
        "rate": round(100 * passed / graded),
        "low": round(100 * probing["low"]),
        "high": round(100 * probing["high"]),
        "solved": probing["solved"],
    }


def caveats(probing: Mapping[str, Any]) -> list[str]:
    """Word how the answers were made and graded, and what that misses."""
    texts = []
    if probing.get("offline_only"):
        texts.append(_("No model was asked: the offline rules wrote the answers."))
    elif probing.get("offline_too"):
        texts.append(_("Some of the answers were written by the offline rules, not by a model."))
    if probing.get("by_rules"):
        texts.append(
            _(
                "Graded by rules, not by a model: they find words and figures, and miss a good "
                "answer in other words."
            )
        )
    else:
        texts.append(_("Graded by a model against lines cut from the reference answer."))
    missing = probing["asked"] - probing["graded"]
    if missing:
        texts.append(
            ngettext(
                "%(n)s further answer could not be obtained or graded, and is not counted.",
                "%(n)s further answers could not be obtained or graded, and are not counted.",
                missing,
            )
            % {"n": missing}
        )
    return texts


def _unknown(probing: Mapping[str, Any]) -> str:
    """Word why nothing was measured: a missing rate is never shown as a rate of 0."""
    words = {
        "no_model": _(
            "The difficulty was not measured, because the programme has no model for it yet. "
            "Nothing is wrong with the task."
        ),
        "no_lines": _(
            "The difficulty was not measured: no line could be cut from the reference answer."
        ),
        "broke": _("The difficulty was not measured: probing failed several times."),
        "budget": _(
            "The difficulty was not measured: the monthly budget for probing ended before all "
            "answers were obtained and graded."
        ),
        "no_answer": _("The difficulty was not measured: probing produced no answer."),
    }
    return words.get(
        str(probing.get("problem", "")),
        _("The difficulty was not measured. Judge it from your practice."),
    )

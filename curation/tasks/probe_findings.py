"""What probing found, as a plain sentence with its counts. Pure but for the reader's language."""

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


def judged(passed: int, graded: int, easy_percent: int, suspect_percent: int) -> Finding:
    """The finding for a pass rate: above one limit too easy, under the other suspect.

    Exact whole numbers are compared; a rate on a limit is within it.
    """
    if not graded:
        return Finding.UNKNOWN
    if 100 * passed > easy_percent * graded:
        return Finding.EASY
    if 100 * passed < suspect_percent * graded:
        return Finding.SUSPECT
    return Finding.FAIR


def sentences(finding: str, probing: Mapping[str, Any]) -> list[str]:
    """As `_told`; a per cent sign never stands alone on a line."""
    return [sentence.replace(" %", "\u00a0%") for sentence in _told(finding, probing)]


def _told(finding: str, probing: Mapping[str, Any]) -> list[str]:
    """What was found, in the reader's language: the count, what it means, how it was graded.

    Args:
        probing: as stored with the screening (`judge.probes.probe` writes it). Empty for a
            screening without any probing on record.
    """
    if not probing.get("graded"):
        return [_unknown(probing)]
    told = [_counts(probing)]
    if finding == Finding.EASY:
        told.append(
            _("That is above the limit of %(limit)s %%: too easy for today's models.")
            % {"limit": probing["easy"]}
        )
    elif finding == Finding.SUSPECT:
        told.append(
            _(
                "That is under the limit of %(limit)s %%: the prompt is very hard, or its "
                "reference answer has a fault. A second expert checks the answer first."
            )
            % {"limit": probing["suspect"]}
        )
    else:
        told.append(
            _("That is within the limits of %(low)s and %(high)s %%.")
            % {"low": probing["suspect"], "high": probing["easy"]}
        )
    return [*told, *limits(probing)]


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


def limits(probing: Mapping[str, Any]) -> list[str]:
    """How the answers came about and were graded, and what that cannot see."""
    told = []
    if probing.get("offline_only"):
        told.append(_("No model was asked: the offline rules wrote the answers."))
    elif probing.get("offline_too"):
        told.append(_("Some of the answers were written by the offline rules, not by a model."))
    if probing.get("by_rules"):
        told.append(
            _(
                "Graded by rules, not by a model: they find words and figures, and miss a good "
                "answer in other words."
            )
        )
    else:
        told.append(_("Graded by a model against lines cut from the reference answer."))
    missing = probing["asked"] - probing["graded"]
    if missing:
        told.append(
            ngettext(
                "%(n)s further answer could not be had or graded, and counts neither way.",
                "%(n)s further answers could not be had or graded, and count neither way.",
                missing,
            )
            % {"n": missing}
        )
    return told


def _unknown(probing: Mapping[str, Any]) -> str:
    """Why nothing was measured. Never a rate of 0."""
    words = {
        "no_model": _("The difficulty was not measured: no model is configured for probing."),
        "no_lines": _(
            "The difficulty was not measured: no line could be cut from the reference answer."
        ),
        "broke": _("The difficulty was not measured: probing broke several times."),
        "no_answer": _("The difficulty was not measured: probing brought no answer."),
    }
    return words.get(
        str(probing.get("problem", "")),
        _("The difficulty was not measured. Judge it from your practice."),
    )

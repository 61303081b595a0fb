"""Reads the verification of a claim out of a reply, and what follows without one. Pure."""

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from curation.base.text.language import Amount, amounts
from judge.asking.prompts.envelope import UnreadableError, note, read_object, tidy
from judge.methods.base.framing import occurs, plain
from judge.methods.jade.facts import Data
from judge.methods.jade.reading.reports import (
    WORDS,
    ElsewhereError,
    UnknownNameError,
    text_or_none,
)
from judge.methods.jade.scoring import Verification

SUPPORTS, CONTRADICTS, DOES_NOT_SAY = "supports", "contradicts", "does_not_say"
NOT_FOUND = "not_found"  # in what was shown of a page that was not shown whole
NOT_READABLE, NONE_CITED = "not_readable", "none_cited"
ENTAILMENTS = (SUPPORTS, CONTRADICTS, DOES_NOT_SAY)  # what a verifier says of a page it was shown

FIELDS = ("why", "verdict", "confidence", "excerpts", "found_value", "found_date", "entailment")


class InconsistentError(Exception):
    """The verdict does not fit what the reply names for it; the message says how."""


def read_claim(reply: str, claim: Data, found: Data, repaired: list[str]) -> dict[str, Any]:
    """Return the verification of a claim.

    Args:
        found: what was looked up, as the question showed it.
        repaired: takes what was repaired, in words.

    Raises:
        UnreadableError: the reply is not of the form asked for.
        UnknownNameError: it names an excerpt that it was not shown.
        InconsistentError: it decides without an excerpt, or against its own numbers.
        ElsewhereError: the number it found stands in none of the excerpts it names.
    """
    value = read_object(reply, FIELDS, repaired)
    if value["verdict"] not in list(Verification):
        raise UnreadableError("The verdict is none of the three.")
    verdict = Verification(value["verdict"])
    confidence = value["confidence"]
    if type(confidence) is not int or not 0 <= confidence <= 100:
        raise UnreadableError("The confidence is no whole number from 0 to 100.")
    chosen = _chosen(value["excerpts"], found["excerpts"])
    if verdict != Verification.UNVERIFIABLE and not chosen:
        raise InconsistentError("it decides without an excerpt")
    number, off = text_or_none(value, "found_value"), None
    if number is not None and not any(stands(number, one["text"]) for one in chosen):
        raise ElsewhereError(number[:200])
    if claim["value"]:
        off = percent_off(claim, number)
        if verdict == Verification.SUPPORTED and number is None:
            raise InconsistentError("it supports a number without naming the one it found")
        if verdict == Verification.SUPPORTED and off is not None and off > claim["tolerance"]:
            raise InconsistentError(f"it supports a number that is {off:.2f} % off")
    why = value["why"]
    if not isinstance(why, str):
        raise UnreadableError("The reason is no text.")
    return _result(
        claim,
        found,
        verdict=verdict,
        confidence=confidence,
        why=" ".join(tidy(why).split())[:WORDS],
        excerpts=chosen,
        found_value=number,
        found_date=text_or_none(value, "found_date"),
        off_percent=off,
        entailment=_entailment(value["entailment"], found["cited"], repaired),
    )


def without_evidence(claim: Data, found: Data) -> dict[str, Any]:
    """Return what holds of a claim for which nothing was found: nobody needs to be asked.

    It cannot be verified, which is no refutation; `why` is "" as no model gave a reason.
    """
    return _result(
        claim,
        found,
        verdict=Verification.UNVERIFIABLE,
        confidence=100,
        why="",
        excerpts=(),
        found_value=None,
        found_date=None,
        off_percent=None,
        entailment=NOT_READABLE if found["cited"] else NONE_CITED,
    )


def _result(claim: Data, found: Data, *, excerpts: Sequence[Data], **said: Any) -> dict[str, Any]:
    """Return the finding."""
    return {
        **said,
        "verdict": str(said["verdict"]),
        "excerpts": [one["n"] for one in excerpts],
        "laundered": is_laundered(said["verdict"], said["entailment"]),
        "verify_again": _again(claim, excerpts),
    }


def is_laundered(verdict: str, entailment: str) -> bool:
    """Return whether a claim is not refuted, but its source is no help."""
    return entailment in (CONTRADICTS, DOES_NOT_SAY) and verdict != Verification.REFUTED


def _chosen(value: Any, shown: Sequence[Data]) -> list[Data]:
    if not isinstance(value, list) or not all(type(one) is int for one in value):
        raise UnreadableError("“excerpts” is no list of numbers.")
    by_number = {one["n"]: one for one in shown}
    for one in value:
        if one not in by_number:
            raise UnknownNameError(f"excerpt {one}")
    return [by_number[one] for one in sorted(set(value))]


def stands(number: str, text: str) -> bool:
    """Return whether a number stands in a text, not as a part of another number."""
    wanted = plain(number).strip(" .…")
    if not occurs(number, plain(text)):
        return False
    before = r"(?<![\d.,])" if wanted[0].isdigit() else ""
    after = r"(?!\d|[.,]\d)" if wanted[-1].isdigit() else ""
    return bool(re.search(f"{before}{re.escape(wanted)}{after}", plain(text)))


def _entailment(value: Any, cited: Data | None, repaired: list[str]) -> str:
    """Return what the cited page says; whether there is one to read, and whether it was shown
    whole, is known without a model: the silence of a part is not that of the page."""
    if cited is not None and cited["excerpt"] is not None:
        if value not in ENTAILMENTS:
            raise UnreadableError("The reply does not say whether the cited page supports it.")
        return NOT_FOUND if value == DOES_NOT_SAY and not cited.get("whole") else str(value)
    if value is not None:
        note(repaired, "a word on a page that was not shown")
    return NOT_READABLE if cited else NONE_CITED


def percent_off(claim: Data, number: str | None) -> float | None:
    """Return by how many percent the number found differs; None where that cannot be computed."""
    stated = _amount(f"{claim['value']} {claim['unit'] or ''}")
    actual = _amount(number or "")
    if stated is None or actual is None or (stated.unit != actual.unit and actual.unit):
        return None
    if stated.value == 0:
        return 0.0 if actual.value == 0 else 100.0
    found = actual.value
    if stated.unit and not actual.unit:  # a bare number is in the unit of the claim
        bare = _amount(f"{number} {claim['unit'] or ''}")
        found = bare.value if bare and bare.unit == stated.unit else found
    return abs(stated.value - found) / abs(stated.value) * 100


def _amount(text: str) -> Amount | None:
    found = amounts(text)
    return found[0] if len(found) == 1 else None


def _again(claim: Data, excerpts: Sequence[Data]) -> str | None:
    """Return the day on which an answer that ages is due, ISO 8601.

    It counts from the oldest excerpt that decides; None for an answer that does not age, or that
    nothing decides.
    """
    if claim["recheck_days"] is None or not excerpts:
        return None
    oldest: date = min(datetime.fromisoformat(one["fetched_at"]).date() for one in excerpts)
    return (oldest + timedelta(days=claim["recheck_days"])).isoformat()

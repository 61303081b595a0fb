"""From the findings of a judgment to its scores, as exact integers. Pure.

Everything is computed from the findings alone, so a score with overrules needs no model. The
stored answers to items were given knowing the verdicts of then: an overruled verdict moves gates
and V, not these answers, which people can overrule, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from judge.methods.jade.facts import BASIS, CLAIM, FOUND_IN, ITEM, REPORT, Data
from judge.methods.jade.reading.answers import HALVES
from judge.methods.jade.reading.claims import without_evidence
from judge.methods.jade.scoring import Item, Scores, Verification, Why, score, value_of

CERTAIN = 100  # a confidence is given in percent

Findings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JadeScore:
    """A score in exact integers; `why` has the codes of `scoring.Why`.

    With claims it is S = max(S_reason, 0) * S_evid as a number of parts of
    2 * CERTAIN * (positive weights) * (claims); without, max(S_reason, 0) as a number of parts of
    2 * (positive weights). So no score is rounded.
    """

    numerator: int | None
    denominator: int
    judged: int
    why: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return self.numerator is not None


def is_taken_apart(findings: Findings) -> bool:
    """Return whether the response's own checklist, layer 2, is there."""
    return findings.get(REPORT) is not None


def claims_in(findings: Findings) -> dict[str, Data | None]:
    """Return claim -> verification; None for one without an outcome.

    A claim for which nothing was found has one without a question.
    """
    known: dict[str, Data | None] = {}
    report = findings.get(REPORT) or {"claims": ()}
    for claim in report["claims"]:
        name = claim["id"]
        said = findings.get(f"{CLAIM}{name}")
        found = findings.get(f"{FOUND_IN}{name}")
        if said is None and found and not found["excerpts"]:
            said = without_evidence(claim, found)
        known[name] = said
    return known


def value_in(verification: Data | None) -> Fraction | None:
    """Return V of a claim (Eq. 6); None without an outcome."""
    if verification is None:
        return None
    confidence = Fraction(verification["confidence"], CERTAIN)
    return value_of(Verification(verification["verdict"]), confidence)


def items_in(findings: Findings) -> list[Data]:
    """Return all items, layer 1 first: id, text, weight, flaw, depends_on, layer, answer or None.

    A line of layer 1 also has its skill.
    """
    basis, report = findings.get(BASIS) or {"lines": ()}, findings.get(REPORT)
    on = report["rests_on"] if report else {}
    own = report["items"] if report else ()
    rows = [{**row, "layer": 1, "depends_on": on.get(row["id"], [])} for row in basis["lines"]]
    rows += [{**row, "layer": 2, "skill": ""} for row in own]
    return [{**row, "said": findings.get(f"{ITEM}{row['id']}")} for row in rows]


def scores_of(findings: Findings) -> Scores:
    """Return the scores that follow from the findings (Eqs. 9 to 12)."""
    values = None
    if is_taken_apart(findings):
        values = {name: value_in(said) for name, said in claims_in(findings).items()}
    items = [
        Item(
            row["id"],
            row["weight"],
            Fraction(HALVES[row["said"]["answer"]], 2) if row["said"] else None,
            tuple(row["depends_on"]),
        )
        for row in items_in(findings)
    ]
    return score(values, items)


def verified_score(findings: Findings, judged: int) -> JadeScore:
    """Return S, or why there is none."""
    scores, items = scores_of(findings), items_in(findings)
    above = sum(max(row["weight"], 0) for row in items)
    of = 2 * CERTAIN * max(above, 1) * max(len(claims_in(findings)), 1)
    numerator = None if scores.s is None else _exactly(scores.s, of)
    return JadeScore(numerator, of, judged, tuple(map(str, scores.why)))


def reasoning_score(findings: Findings, judged: int) -> JadeScore:
    """Return max(S_reason, 0) of a method without claims, or why there is none."""
    scores, items = scores_of(findings), items_in(findings)
    of = 2 * max(sum(max(row["weight"], 0) for row in items), 1)
    if scores.reason_clipped is None:
        return JadeScore(None, of, judged, tuple(map(str, why_without_claims(findings))))
    return JadeScore(_exactly(scores.reason_clipped, of), of, judged)


def reasons_of(findings: Findings, *, verified: bool) -> tuple[Why, ...]:
    """Return why a judgment has no score, or scores 0; empty if it has one of its own.

    Args:
        verified: whether the method verifies claims.
    """
    return scores_of(findings).why if verified else why_without_claims(findings)


def why_without_claims(findings: Findings) -> tuple[Why, ...]:
    """Return why a method that verifies no claim has no score: the first cause alone."""
    items = items_in(findings)
    if not items and not is_taken_apart(findings):
        return (Why.NOT_TAKEN_APART,)  # a flat checklist that nobody wrote
    if any(row["said"] is None for row in items):
        return (Why.NO_ANSWER,)
    return () if any(row["weight"] > 0 for row in items) else (Why.NO_POSITIVE_WEIGHT,)


def _exactly(number: Fraction, of: int) -> int:
    parts = number * of
    if parts.denominator != 1:
        raise ValueError("a score is no whole number of its parts")
    return parts.numerator

"""The scores of a response as plain numbers, as `manage.py jade` prints them. Pure."""

from fractions import Fraction
from typing import Any

from judge.methods.jade.facts import BASIS, Data
from judge.methods.jade.outcomes import (
    CERTAIN,
    Findings,
    claims_in,
    items_in,
    reasons_of,
    scores_of,
)
from judge.methods.jade.pages.measures import measures_of
from judge.methods.jade.reading.answers import HALVES
from judge.methods.jade.reading.claims import ENTAILMENTS, SUPPORTS
from judge.methods.jade.scoring import Counted, Why


def scores_as_dict(findings: Findings, *, verified: bool) -> dict[str, Any]:
    """Return s, s_reason, s_reason_unclipped, s_evid, density, laundered, quality (Q), grade, why,
    items and claims.

    What is None cannot be known; `why` has the codes of `scoring.Why` if there is no score, or a 0
    of a response without a claim.

    Args:
        findings: of a judgment; before anything is known, every number is None.
        verified: whether the method verifies claims.
    """
    if not findings.get(BASIS):
        names = ("s", "s_reason", "s_reason_unclipped", "s_evid", "density", "laundered", "quality")
        nothing = {**dict.fromkeys(names), "grade": ""}
        return {**nothing, "why": [str(Why.NOT_TAKEN_APART)], "items": [], "claims": []}
    scores, measures = scores_of(findings), measures_of(findings, verified=verified)
    why = reasons_of(findings, verified=verified)
    counted = {one.id: one for one in scores.items}
    tiers = {one["address"]: one["tier"] for one in findings[BASIS]["sources"]}
    return {
        "s": _number(measures.s),
        "s_reason": _number(measures.clipped),
        "s_reason_unclipped": _number(measures.reason),
        "s_evid": _number(measures.evidence),
        "density": measures.density,
        "laundered": measures.laundered,
        "quality": _number(measures.quality),
        "grade": findings[BASIS]["grade"],
        "why": [str(one) for one in why],
        "items": [_item(row, counted[row["id"]]) for row in items_in(findings)],
        "claims": _claims(findings, tiers),
    }


def _item(row: Data, counted: Counted) -> dict[str, Any]:
    said = row["said"]
    return {
        "id": row["id"],
        "kind": "checklist" if row["layer"] == 1 else "reasoning",
        "weight": row["weight"],
        "answer": HALVES[said["answer"]] / 2 if said else None,
        "depends_on": list(row["depends_on"]),
        "gated_by": list(counted.gated_by),
    }


def _claims(findings: Findings, tiers: dict[str, int]) -> list[dict[str, Any]]:
    """Return the claims; `entailed` is None where nobody knows whether the cited page says so."""
    texts = {claim["id"]: claim for claim in (findings.get("report") or {"claims": ()})["claims"]}
    rows = []
    for name, said in claims_in(findings).items():
        source, entailment = texts[name]["source"], said["entailment"] if said else ""
        rows.append(
            {
                "id": name,
                "outcome": said["verdict"] if said else None,
                "entailed": entailment == SUPPORTS if entailment in ENTAILMENTS else None,
                "source": source,
                "tier": tiers.get(source) if source else None,
                "confidence": said["confidence"] / CERTAIN if said else None,
            }
        )
    return rows


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)

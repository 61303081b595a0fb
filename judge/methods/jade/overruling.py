"""What people can overrule of JADE: the answer to an item, the verdict on a claim. Pure."""

from collections.abc import Mapping
from typing import Any

from judge.methods.base.overruling import Overrulable, Said
from judge.methods.jade.facts import BASIS, CLAIM, FOUND_IN, ITEM, REPORT, Data, claims_of, id_of
from judge.methods.jade.outcomes import Findings, claims_in, items_in
from judge.methods.jade.pages import words
from judge.methods.jade.reading.claims import ENTAILMENTS, is_laundered, without_evidence


def overrulable(findings: Findings) -> dict[str, Overrulable]:
    """Return items, then claims, by the names of their findings."""
    if not findings.get(BASIS):
        return {}
    found = {f"{ITEM}{row['id']}": _item(row) for row in items_in(findings)}
    claims = claims_in(findings)
    for name, claim in _claims(findings).items():
        found[f"{CLAIM}{name}"] = _claim(claim, claims[name])
    return found


def _item(row: Data) -> Overrulable:
    said = row["said"]
    return Overrulable(
        answers=words.FLAWS if row["flaw"] else words.ANSWERS,
        said=Said(said["answer"]) if said else None,
        why=said["why"] if said else "",
    )


def _claim(claim: Data, said: Data | None) -> Overrulable:
    return Overrulable(
        answers=words.VERDICTS,
        said=Said(said["verdict"], said["confidence"], said["entailment"]) if said else None,
        why=said["why"] if said else "",
        takes_confidence=True,
        cited_pages={one: words.ENTAILMENTS[one] for one in ENTAILMENTS} if claim["source"] else {},
    )


def overruled(findings: Findings, said: Mapping[str, Said]) -> Findings:
    """Return the findings with what people say laid over them.

    A claim keeps its excerpts and what they state; the judge's reason, which is for another
    answer, goes.
    """
    found: dict[str, Any] = dict(findings)
    claims, verified = _claims(findings), claims_in(findings)
    items = {row["id"] for row in items_in(findings)}
    for name, one in said.items():
        of = id_of(name)
        if name.startswith(ITEM) and of in items:
            found[name] = {"answer": one.answer, "why": "", "quote": ""}
        elif name.startswith(CLAIM) and of in claims:
            before = verified[of] or _unverified(claims[of], findings.get(f"{FOUND_IN}{of}"))
            entailment = one.cited_page or before["entailment"]
            found[name] = {
                **before,
                "verdict": one.answer,
                "confidence": one.confidence,
                "why": "",
                "entailment": entailment,
                "laundered": is_laundered(one.answer, entailment),
            }
    return found


def _claims(findings: Findings) -> Mapping[str, Data]:
    report = findings.get(REPORT)
    return claims_of(report) if report else {}


def _unverified(claim: Data, found: Data | None) -> Data:
    """Return the rest of a finding about a claim that nobody verified."""
    return without_evidence(claim, found or {"cited": claim["source"] or None})

"""The verification of a claim: three verdicts, excerpts by number, entailment apart."""

import json
from dataclasses import replace

import pytest

from judge.methods.evidence.search.interface import Note
from judge.methods.jade.method import Jade
from tests.methods.jade.test_report_reading import RESPONSE, reply
from tests.methods.jade.walk import Pages, Walk, material

PAGES = {
    "https://acme.example/p": ("Acme", "Cups cost $3.52 at Acme. Acme was founded in 1999."),
    "https://other.example/": ("Other", "Acme asks $4.20 for a cup."),
}
DEAD = "https://acme.example/p"


def said(**more):
    return {
        "why": "The page says so.",
        "verdict": "supported",
        "confidence": 90,
        "excerpts": [1],
        "found_value": None,
        "found_date": None,
        "entailment": "supports",
        **more,
    }


def own(*, number=True, search=None, recheck=None):
    """The material of the stage that verifies c1: Acme sells cups at $3.50."""
    report = reply()
    report["claims"][0]["recheck_days"] = recheck
    if number:
        report["claims"][0].update(value="$3.50", tolerance=1)
    walk = Walk(
        Jade(), material(Jade(), search=search or Pages(PAGES)), RESPONSE, {"report": [report]}
    )
    report, found = (
        walk.findings["report"],
        {name: walk.findings[f"found:{name}"] for name in ("c1", "c2", "c3")},
    )
    return replace(walk.material, own=replace(walk.material.own, report=report, found=found))


def read(answer, about=None, *, part="claim:c1", cut=False):
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return Jade().read(about or own(), RESPONSE, text, (part,), cut=cut)


def found(answer, about=None, *, part="claim:c1"):
    read_ = read(answer, about, part=part)
    assert read_.findings, read_
    return read_.findings[part]


def test_a_number_within_its_tolerance_is_supported():
    """3.52 is 0.57 % off 3.50."""
    one = found(said(found_value="$3.52"))
    assert (one["verdict"], one["confidence"], one["found_value"]) == ("supported", 90, "$3.52")
    assert round(one["off_percent"], 2) == 0.57


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (said(found_value="$4.20", excerpts=[2]), "inconsistent"),  # 20 % off and "supported"
        (said(), "inconsistent"),  # a number is supported by a number
        (said(found_value="$3.50"), "not_in_response"),  # which no excerpt states
        (said(found_value="3.5"), "not_in_response"),  # a part of another number
        (said(found_value="$4.20"), "not_in_response"),  # it stands in another excerpt
        (said(found_value="$3.52", excerpts=[]), "inconsistent"),
        (said(verdict="refuted", excerpts=[]), "inconsistent"),
        (said(found_value="$3.52", excerpts=[1, 9]), "unknown_name"),
        (said(excerpts=[0]), "unknown_name"),
        (said(excerpts=["1"]), "unreadable"),
        (said(excerpts=[True]), "unreadable"),
        (said(excerpts="1"), "unreadable"),
        (said(verdict="true"), "unreadable"),
        (said(verdict=None), "unreadable"),
        (said(found_value="$3.52", confidence=0.9), "unreadable"),
        (said(found_value="$3.52", confidence=101), "unreadable"),
        (said(found_value="$3.52", confidence=True), "unreadable"),
        (said(found_value="$3.52", entailment=None), "unreadable"),
        (said(found_value="$3.52", entailment="maybe"), "unreadable"),
        ({"verdict": "supported"}, "unreadable"),
        ("supported", "unreadable"),
    ],
)
def test_a_verdict_with_a_fault_decides_nothing_and_is_asked_again(answer, reason):
    one = read(answer)
    assert (one.findings, one.reason) == ({}, reason)
    assert reason == "unreadable" or reason in Jade.faults


def test_two_verdicts_in_one_reply_are_none():
    text = f"{json.dumps(said(verdict='refuted'))} {json.dumps(said(found_value='$3.52'))}"
    assert read(text).reason == "unreadable"


def test_a_verdict_that_was_cut_short_is_none():
    assert read(said(found_value="$3.52"), cut=True).reason == "unreadable"


@pytest.mark.parametrize(
    ("verdict", "entailment", "laundered"),
    [
        ("supported", "supports", False),
        ("supported", "does_not_say", True),
        ("supported", "contradicts", True),
        ("unverifiable", "does_not_say", True),
        ("unverifiable", "supports", False),
        ("refuted", "does_not_say", False),  # wrong, which is worse than laundered
        ("refuted", "contradicts", False),
    ],
)
def test_laundering_is_a_claim_not_refuted_whose_page_is_no_support(verdict, entailment, laundered):
    one = found(said(verdict=verdict, entailment=entailment), own(number=False))
    assert one["laundered"] is laundered


LONG = "Acme sells cups of many kinds. " * 300


@pytest.mark.parametrize("why", ["longer than what is shown", "cut by the store"])
@pytest.mark.parametrize("verdict", ["supported", "unverifiable"])
def test_silence_of_a_page_that_was_not_read_whole_is_an_outcome_of_its_own(why, verdict):
    pages = Pages({**PAGES, DEAD: ("Acme", LONG)}) if why.startswith("longer") else Cut(PAGES)
    about = own(number=False, search=pages)
    one = found(said(verdict=verdict, entailment="does_not_say"), about)
    assert (one["entailment"], one["laundered"]) == ("not_found", False)
    assert about.own.found["c1"]["cited"]["whole"] is False


def test_a_contradiction_counts_also_in_a_page_that_was_not_read_whole():
    one = found(said(entailment="contradicts"), own(number=False, search=Cut(PAGES)))
    assert (one["entailment"], one["laundered"]) == ("contradicts", True)


class Cut(Pages):
    """Pages of which only the beginning was read."""

    def page(self, address):
        found = super().page(address)
        return replace(found, notes=(Note.CUT,)) if found.gap is None else found


def test_without_a_source_the_claim_is_not_laundered_whatever_a_reply_says():
    one = found(said(entailment="contradicts"), part="claim:c2")
    assert (one["entailment"], one["laundered"]) == ("none_cited", False)


def test_a_cited_page_that_cannot_be_read_is_not_laundering():
    about = own(number=False, search=Pages(PAGES, dead=[DEAD]))
    one = found(said(entailment="does_not_say"), about)
    assert (one["entailment"], one["laundered"]) == ("not_readable", False)
    assert about.own.found["c1"]["cited"]["gap"] == "dead"


def test_a_claim_that_nothing_is_found_for_cannot_be_verified_and_nobody_is_asked():
    walk = Walk(Jade(), material(Jade()), RESPONSE, {"report": [reply()]})
    assert not [parts for _role, parts, _prompt in walk.asked if parts[0].startswith("claim:")]
    assert walk.reasons == {}
    assert walk.score.numerator == 0


def test_the_day_of_the_next_verification_counts_from_the_page_that_decides():
    about = own(number=False, recheck=7)
    assert found(said(), about)["verify_again"] == "2026-03-08"
    assert found(said(verdict="unverifiable", excerpts=[]), about)["verify_again"] is None
    assert found(said(), own(number=False))["verify_again"] is None


def test_a_verifier_sees_the_claim_and_pages_and_not_the_response():
    prompt = own().prompt(RESPONSE, only_ids=("claim:c1",), nonce="0123456789abcdef01234567")
    whole = prompt.prefix + prompt.suffix
    assert "Cups cost $3.52 at Acme" in whole
    assert '"cited_by_the_response": true' in whole
    assert "Gamma has a licence" not in whole
    assert prompt.schema["properties"]["excerpts"]["items"]["enum"] == [1, 2]

"""Scores through the method's interface: exact, gated, and never raised by what is unknown."""

import copy
import itertools
from fractions import Fraction

import pytest

from judge.methods.base.values import FOUND
from judge.methods.jade.ablations import JadeFlat, JadeReport, JadeSkills
from judge.methods.jade.method import Jade
from judge.methods.query_checklists.queries import ChecklistLine, FrozenChecklist
from tests.methods.jade.test_report_reading import RESPONSE, reply
from tests.methods.jade.walk import Pages, Walk, material

PAGES = {"https://acme.example/p": ("Acme", "Acme sells cups at $3.50.")}
QUOTE = "So take Acme."


def verdict(kind="supported", confidence=100, **more):
    return {
        "why": "",
        "verdict": kind,
        "confidence": confidence,
        "excerpts": [] if kind == "unverifiable" else [1],
        "found_value": None,
        "found_date": None,
        "entailment": "supports",
        **more,
    }


def answers(**said):
    """Answers by id."""
    return {
        "answers": [
            {"id": name, "quote": "" if answer == "no" else QUOTE, "why": "So.", "answer": answer}
            for name, answer in said.items()
        ]
    }


YES = {"q1": "yes", "q2": "yes", "q3": "no", "r1": "no", "r2": "yes"}


def judged(method, verdicts=("supported",) * 3, said=YES, report=None, **more):
    """A walk with scripted replies; r1 is the flaw of the response, r2 its requirement."""
    replies = {"report": [report or reply()]}
    for n, one in enumerate(verdicts, start=1):
        replies[f"claim:c{n}"] = [one if isinstance(one, dict) else verdict(one)]
    first = next(iter(said))
    replies[f"item:{first}"] = [answers(**said)]
    return Walk(method, material(method, search=Pages(PAGES), **more), RESPONSE, replies)


def share(walk):
    score = walk.score
    return Fraction(score.numerator, score.denominator)


def test_everything_right_is_one():
    """W = 10 + 5 + 10 = 25; three claims: 2 · 100 · 25 · 3 parts."""
    score = judged(Jade()).score
    assert (score.numerator, score.denominator) == (15_000, 15_000)
    assert (score.judged, score.why) == (1 + 3 + 3 + 5, ())


def test_equation_12_reasoning_times_evidence_in_whole_numbers():
    """S_reason = (10 + 5/2 + 10) / 25 = 9/10, S_evid = (1 + 4/5 + 3/5) / 3 = 4/5."""
    verdicts = [verdict(), verdict(confidence=80), verdict(confidence=60)]
    found = judged(Jade(), verdicts, {**YES, "q2": "partly"})
    assert share(found) == Fraction(9, 10) * Fraction(4, 5)
    assert found.score.denominator == 15_000


def test_equation_9_what_rests_on_a_refuted_claim_counts_nothing_in_either_layer():
    """c1 carries q1 (10) and r2 (10): S_reason = 5/25, S_evid = 2/3."""
    found = judged(Jade(), ("refuted", "supported", "supported"))
    assert share(found) == Fraction(5, 25) * Fraction(2, 3)


def test_equation_9_a_flaw_whose_claim_is_refuted_counts_as_triggered():
    """The flaw r1 rests on c3: S_reason = (25 - 15) / 25, S_evid = 2/3."""
    found = judged(Jade(), ("supported", "supported", "refuted"))
    assert share(found) == Fraction(10, 25) * Fraction(2, 3)


def test_a_flaw_that_is_not_triggered_earns_nothing():
    none = share(judged(Jade(), said={**YES, "q1": "no", "q2": "no", "r2": "no"}))
    assert none == 0


def test_flaws_take_no_more_than_everything():
    found = judged(Jade(), said={"q1": "no", "q2": "no", "q3": "yes", "r1": "yes", "r2": "no"})
    assert found.score.numerator == 0


def sole(kind):
    report = reply()
    report["claims"] = report["claims"][:1]
    report["items"] = [{**report["items"][0], "claims": ["a"]}]
    said = {"q1": "yes", "q2": "yes", "q3": "no", "r1": "yes"}
    return share(judged(Jade(), [verdict(kind, 100)], said, report))


def test_a_refuted_sole_claim_never_raises_a_score():
    """Nothing is left of the evidence; a claim nobody can check leaves 1/4 of 5/25."""
    assert (sole("refuted"), sole("unverifiable"), sole("supported")) == (0, Fraction(1, 20), 1)


@pytest.mark.parametrize("kinds", [*itertools.product(["supported", "unverifiable"], repeat=3)])
def test_refuting_one_more_claim_never_raises_a_score(kinds):
    before = share(judged(Jade(), kinds))
    for at in range(3):
        worse = [*kinds]
        worse[at] = "refuted"
        assert share(judged(Jade(), worse)) <= before


def test_an_outage_never_raises_a_score():
    method = Jade()
    found = Walk(method, material(method, search=Pages(fails=99)), RESPONSE, {"report": [reply()]})
    assert set(found.reasons.values()) == {"search_failed"}
    with pytest.raises(AssertionError, match="missing part"):
        _ = found.score
    # Even if somebody scored what is there, it would be unknown.
    score = method.score(found.material, dict.fromkeys(found.findings, FOUND), found.findings)
    assert (score.numerator, score.complete) == (None, False)
    assert "no_outcome" in score.why


def test_a_verifier_that_fails_leaves_the_score_unknown_and_not_higher():
    bad = [verdict("refuted", excerpts=[])] * 3
    found = judged(Jade())
    failed = Walk(
        Jade(),
        material(Jade(), search=Pages(PAGES)),
        RESPONSE,
        {"report": [reply()], "claim:c1": bad, "claim:c2": [verdict()], "claim:c3": [verdict()]},
    )
    assert failed.reasons == {"claim:c1": "inconsistent"}
    findings = {**found.findings}
    del findings["claim:c1"]
    score = Jade().score(found.material, dict.fromkeys(findings, FOUND), findings)
    assert (score.numerator, score.why) == (None, ("no_outcome",))


def test_without_claims_the_score_is_0_and_says_why():
    report = {"claims": [], "items": [], "rests_on": []}
    found = judged(Jade(), (), {"q1": "yes", "q2": "yes", "q3": "no"}, report)
    assert found.stages == [("report",), ("item:q1", "item:q2", "item:q3")]
    assert (found.score.numerator, found.score.why) == (0, ("no_evidence",))
    assert Jade().why(found.score) == "no_evidence"


def test_without_anything_to_earn_there_is_no_score_and_a_reason():
    report = reply()
    report["items"] = []
    found = judged(JadeReport(), report=report)
    assert found.score.why == ("no_positive_weight",)


def test_an_item_without_an_answer_leaves_the_score_unknown():
    found = judged(Jade())
    findings = {name: data for name, data in found.findings.items() if name != "item:q2"}
    score = Jade().score(found.material, dict.fromkeys(findings, FOUND), findings)
    assert score.why == ("no_answer",)


def test_the_order_of_claims_and_items_never_changes_a_score():
    verdicts = [verdict("refuted"), verdict(confidence=70), verdict("unverifiable")]
    said = {**YES, "q2": "partly"}
    expected = judged(Jade(), verdicts, said).score
    for claims, items in itertools.product(
        itertools.permutations(range(3)), itertools.permutations(range(2))
    ):
        report = reply()
        report["claims"] = [report["claims"][n] for n in claims]
        report["items"] = [report["items"][n] for n in items]
        assert judged(Jade(), verdicts, said, report).score == expected


def test_the_order_of_a_checklist_never_changes_a_score():
    lines = [
        ChecklistLine("a", "One", 10, False, "s", "s"),
        ChecklistLine("b", "Two", 5, False, "s", "s"),
        ChecklistLine("c", "Three", -15, True, "s", "s"),
    ]
    scores = set()
    for order in itertools.permutations(range(3)):
        checklist = FrozenChecklist(1, "0" * 64, tuple(lines[n] for n in order))
        report, place = reply(), {n: f"q{at}" for at, n in enumerate(order, start=1)}
        report["rests_on"] = [{"id": place[0], "claims": ["a"]}]
        said = {place[0]: "yes", place[1]: "partly", place[2]: "no", "r1": "no", "r2": "partly"}
        said = {name: said[name] for name in sorted(said)}
        found = judged(
            Jade(), ("supported", "unverifiable", "supported"), said, report, checklist=checklist
        )
        scores.add(found.score)
    assert len(scores) == 1


def test_skills_alone_are_the_reasoning_over_the_checklist():
    """(10 + 5/2) / 15 without any claim; 2 · 15 parts."""
    found = judged(JadeSkills(), (), {"q1": "yes", "q2": "partly", "q3": "no"})
    assert (found.score.numerator, found.score.denominator) == (25, 30)


def test_report_alone_leaves_the_checklist_out():
    report = reply()
    del report["rests_on"]
    found = judged(JadeReport(), said={"r1": "no", "r2": "partly"}, report=report)
    assert share(found) == Fraction(1, 2)
    assert "checklist of the task" not in found.asked[0][2].prefix.lower()


def test_a_flat_checklist_has_neither_claims_nor_gates():
    report = {
        "items": [
            {"id": "a", "text": "Is it there?", "weight": 10},
            {"id": "b", "text": "Is it harmful?", "weight": -15},
            {"id": "c", "text": "Is it clear?", "weight": 5},
        ]
    }
    said = {"r1": "yes", "r2": "yes", "r3": "yes"}
    assert judged(JadeFlat(), (), said, report).score.numerator == 0
    found = judged(JadeFlat(), (), {**said, "r1": "no"}, report)
    assert share(found) == 1
    assert found.findings["report"]["claims"] == []


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([{"id": "q1", "quote": QUOTE, "why": "", "answer": "maybe"}], "unreadable"),
        ([{"id": "q1", "quote": "Take Beta.", "why": "", "answer": "yes"}], "not_in_response"),
        ([{"id": "q1", "quote": "", "why": "", "answer": "partly"}], "not_in_response"),
        ([{"id": "q1", "quote": 1, "why": "", "answer": "no"}], "unreadable"),
        ([{"id": "q1", "quote": QUOTE, "why": "", "answer": 1}], "unreadable"),
        (
            [
                {"id": "q1", "quote": QUOTE, "why": "", "answer": "yes"},
                {"id": "q1", "quote": "", "why": "", "answer": "no"},
            ],
            "conflicting",
        ),
        ([], "missing"),
        ([{"id": "q77", "quote": "", "why": "", "answer": "no"}], "unknown_name"),
    ],
)
def test_an_answer_with_a_fault_is_asked_again_alone(rows, reason):
    others = answers(q2="yes", q3="no")["answers"]
    replies = {"item:q1": [{"answers": [*copy.deepcopy(rows), *others]}] * 3}
    method = JadeSkills()
    found = Walk(method, material(method), RESPONSE, replies)
    assert found.reasons["item:q1"] == reason
    if reason != "unknown_name":
        assert found.reasons == {"item:q1": reason}
        assert found.asked[1][1] == ("item:q1",)

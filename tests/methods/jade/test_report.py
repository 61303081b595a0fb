"""The figures of candidates: gaps, laundering, density; unknown is never 0."""

from fractions import Fraction
from math import log

import pytest

from judge.methods.base.values import Judged
from judge.methods.jade.ablations import JadeSkills
from judge.methods.jade.method import Jade
from tests.methods.jade.test_method_scores import YES, judged, verdict


def row(walk, candidate="a"):
    score = walk.score
    share = None if score.numerator is None else score.numerator / score.denominator
    return Judged(candidate, share, walk.findings)


def report(*rows, method=None):
    return (method or Jade()).report(rows)


def test_means_of_a_candidate_by_hand():
    """Two responses: S = 1 · 1, and S = 9/10 · 4/5. Q of one unknown source is 1/4."""
    second = judged(
        Jade(),
        [verdict(entailment="does_not_say"), verdict(confidence=80), verdict(confidence=60)],
        {**YES, "q2": "partly"},
    )
    found = report(row(judged(Jade())), row(second)).data.as_dict()["jade"][0]
    assert found["final"] == pytest.approx((1 + 0.72) / 2)
    assert found["reasoning"] == pytest.approx(0.95)
    assert found["evidence"] == pytest.approx(0.9)
    assert found["evidence_gap"] == pytest.approx(0.9 - 0.95)
    assert found["credibility"] == 0.25
    assert found["credibility_gap"] == pytest.approx(0.65)
    assert (found["claims_with_source"], found["laundered"], found["claims"]) == (2, 1, 6)
    tokens = second.findings["basis"]["tokens"]
    assert found["tokens"] == tokens
    assert found["density"] == pytest.approx((1 + 0.72) / 2 / log(tokens + 1))


def test_type_tools_and_licence_stand_beside_a_candidate_as_far_as_they_are_known():
    said = row(judged(Jade()))
    known = Judged("a", said.score, said.findings, ("product", "web search", "open_weights"))
    unknown = Judged("b", said.score, said.findings)
    first, second = report(known, unknown).data.rows
    assert first.about_words == ("Agent product", "web search", "Open weights")
    assert first.as_dict()["licence"] == "open_weights"
    assert second.about_words == ("", "", "")


def test_a_score_of_nothing_stands_before_none():
    nothing = row(judged(Jade(), [verdict("refuted")] * 3), "z")
    assert nothing.score == 0
    found = report(Judged("a", None, {}), nothing).data.rows
    assert [one.candidate for one in found] == ["z", "a"]


def test_what_is_unknown_is_left_out_of_means_and_counted():
    none = judged(
        Jade(),
        (),
        {"q1": "no", "q2": "no", "q3": "no"},
        {"claims": [], "items": [], "rests_on": []},
    )
    found = report(row(judged(Jade())), row(none)).data.as_dict()["jade"][0]
    assert (found["responses"], found["scored"], found["without_claims"]) == (2, 2, 1)
    assert found["without_score"] == {}
    assert (found["final"], found["evidence"]) == (0.5, 1)
    assert found["reasoning"] == 0.5
    assert found["known"]["evidence"] == 1
    assert found["known"]["reasoning"] == 2


def test_a_candidate_without_any_score_has_none_and_not_zero():
    failed = Judged("b", None, {"basis": judged(Jade()).findings["basis"]})
    found = report(row(judged(Jade())), failed).data.as_dict()["jade"]
    assert [one["candidate"] for one in found] == ["a", "b"]
    assert found[1]["final"] is None
    assert found[1]["density"] is None


def test_without_findings_there_is_no_report():
    assert report() is None
    assert report(Judged("a", None, {})) is None


def test_a_method_without_claims_has_no_gaps():
    walk = judged(JadeSkills(), (), {"q1": "yes", "q2": "partly", "q3": "no"})
    found = report(row(walk), method=JadeSkills()).data.as_dict()["jade"][0]
    assert found["final"] == pytest.approx(float(Fraction(25, 30)))
    assert found["evidence"] is found["evidence_gap"] is None
    assert found["without_score"] == {}

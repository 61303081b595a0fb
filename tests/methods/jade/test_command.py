"""`manage.py jade RUN` prints what the page of each response shows."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from judge.methods.base.overruling import Said
from judge.methods.jade.ablations import JadeSkills
from judge.methods.jade.method import Jade
from judge.results.flags.overrule_actions import overrule_finding
from judge.runs.engine.models import Finding
from tests.methods.jade.test_method_scores import judged
from tests.methods.jade.test_pages import mixed

pytestmark = pytest.mark.django_db


def printed(run, **options):
    out = StringIO()
    call_command("jade", str(run.pk), stdout=out, **options)
    return out.getvalue()


def only_row(run):
    (row,) = json.loads(printed(run, json=True))["responses"]
    return row


def test_scores_items_and_claims_of_a_response_are_numbers(planted):
    """S_reason = (5 - 15) / 25, S_evid = (0 + 9/10 + 1/4) / 3."""
    walk = mixed()
    response, run = planted(walk.findings, score=(walk.score.numerator, walk.score.denominator))
    row = only_row(run)
    assert (row["response"], row["task"]) == (response.key, response.task.key)
    assert row["s_reason_unclipped"] == pytest.approx(-10 / 25)
    assert (row["s"], row["s_reason"], row["density"], row["why"]) == (0, 0, 0, [])
    assert row["s_evid"] == pytest.approx((0.9 + 0.25) / 3)
    outcomes = [(claim["id"], claim["outcome"]) for claim in row["claims"]]
    assert outcomes == [("c1", "refuted"), ("c2", "supported"), ("c3", "unverifiable")]
    assert [claim["confidence"] for claim in row["claims"]][:2] == [0.8, 0.9]
    gates = {item["id"]: item["gated_by"] for item in row["items"]}
    assert gates["q1"] == ["c1"]
    assert gates["r1"] == ["c3"]
    assert {item["answer"] for item in row["items"]} <= {0, 0.5, 1}
    assert {item["kind"] for item in row["items"]} == {"checklist", "reasoning"}


def test_a_claim_without_an_outcome_leaves_the_score_unknown_with_the_reason(planted):
    findings = dict(mixed().findings) | {"claim:c2": None}
    _response, run = planted(findings, score=(None, None))
    row = only_row(run)
    assert (row["s"], row["s_evid"], row["density"]) == (None, None, None)
    assert row["why"] == ["no_outcome"]
    assert [claim["outcome"] for claim in row["claims"]] == ["refuted", None, "unverifiable"]


@pytest.mark.parametrize("method", ["jade", "jade_report"])
@pytest.mark.parametrize("begun", [True, False])
def test_of_a_response_that_no_model_took_apart_the_first_cause_is_said(planted, method, begun):
    findings = {"basis": mixed().findings["basis"], "report": None} if begun else {}
    _response, run = planted(findings, score=(None, None), method=method)
    row = only_row(run)
    assert (row["s"], row["why"], row["claims"]) == (None, ["not_taken_apart"], [])


def test_a_response_without_claims_is_printed_with_0_and_why(planted):
    report = {"claims": [], "items": [], "rests_on": []}
    walk = judged(Jade(), (), {"q1": "yes", "q2": "yes", "q3": "no"}, report)
    _response, run = planted(walk.findings, score=(0, 2))
    row = only_row(run)
    assert (row["s"], row["s_evid"], row["why"]) == (0, None, ["no_evidence"])
    assert row["laundered"] == 0


def test_what_people_overrule_moves_the_printed_score(planted, staff):
    walk = mixed()
    _response, run = planted(walk.findings, score=(walk.score.numerator, walk.score.denominator))
    judgment = Finding.objects.first().judgment
    overrule_finding(
        actor=staff, judgment=judgment, finding="claim:c1", said=Said("supported", 100),
        reason="The page was read wrongly.",
    )  # fmt: skip
    row = only_row(run)
    assert row["overruled"] == 1
    assert row["claims"][0]["outcome"] == "supported"
    assert row["s_evid"] == pytest.approx((1 + 0.9 + 0.25) / 3)


def test_an_ablation_without_claims_has_a_score_without_evidence(planted):
    walk = judged(JadeSkills(), (), {"q1": "yes", "q2": "partly", "q3": "no"})
    _response, run = planted(walk.findings, score=(25, 30), method="jade_skills")
    row = only_row(run)
    assert row["s"] == row["s_reason"] == pytest.approx(12.5 / 15)
    assert (row["s_evid"], row["claims"], row["why"]) == (None, [], [])


def test_people_read_a_line_for_each_response(planted):
    _response, run = planted(mixed().findings, score=(0, 1))
    assert "supported 1  refuted 1  unverifiable 1" in printed(run)


def test_a_run_by_another_method_and_an_unknown_one_are_refused(planted):
    _response, run = planted(mixed().findings, method="graded")
    with pytest.raises(CommandError, match="which is not JADE"):
        printed(run)
    with pytest.raises(CommandError, match="There is no run"):
        call_command("jade", "999")

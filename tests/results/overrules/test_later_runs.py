"""A run that is continued, and one that shares the judgment: what people overruled is kept."""

from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judge.methods.base import registry
from judge.methods.base.overruling import Said
from judge.results.flags.overrule_actions import overrule_finding
from judge.results.flags.overrules import Overrule, OverruledScore, findings_of
from judge.results.flags.registrations import follow_the_judge
from judge.runs.engine.models import Judgment, RunItem
from judge.runs.pages import lifecycle
from tests.methods.jade.pages import folder_of
from tests.methods.jade.test_runs import FACTS, FURTHER, responses

pytestmark = pytest.mark.django_db


@pytest.fixture
def documents(tmp_path):
    return folder_of(tmp_path / "pages", FACTS)


def stored(judgment):
    row = OverruledScore.objects.get(judgment=judgment)
    return (row.numerator, row.denominator)


def from_findings(judgment, said):
    method = registry.get(judgment.method)
    score = method.score_of(method.overruled(findings_of(judgment.pk), said))
    return (score.numerator, score.denominator)


def test_a_run_continued_later_keeps_overrules_and_their_scores_follow(
    stub, judge, plan, documents, staff
):
    """The verifier fails on every claim, a person decides one, and the run is continued."""
    responses(2, 4)
    stub.script(*["ok", *["malformed"] * 9] * 8)
    run, _result = judge(
        plan(method="jade_report", further=FURTHER, search=documents, concurrency=1)
    )
    said = {"claim:c1": Said("supported", 100)}
    for judgment in Judgment.objects.all():
        assert judgment.state == Judgment.State.INCOMPLETE
        overrule_finding(
            actor=staff, judgment=judgment, finding="claim:c1", said=said["claim:c1"], reason="So."
        )
        assert stored(judgment)[0] is None, "the other claims are not verified"

    lifecycle.continue_run(actor=None, run=run)
    judge(run)
    higher = 0
    for judgment in Judgment.objects.all():
        assert judgment.state == Judgment.State.COMPLETE
        assert Overrule.objects.get(judgment=judgment).finding == "claim:c1"
        assert stored(judgment) == from_findings(judgment, said)
        own = Fraction(judgment.score_numerator, judgment.score_denominator)
        assert Fraction(*stored(judgment)) >= own
        higher += Fraction(*stored(judgment)) > own
    assert higher, "no score follows what was overruled"


def test_another_run_of_the_same_judge_shares_the_overrule(
    stub,
    judge,
    plan,
    documents,
    staff,
):
    responses(1, 1)
    judge(plan(method="jade_report", further=FURTHER, search=documents))
    judgment = Judgment.objects.get()
    overrule_finding(
        actor=staff,
        judgment=judgment,
        finding="claim:c1",
        said=Said("refuted", 70),
        reason="So.",
    )
    before = stored(judgment)
    asked = stub.calls
    judge(plan(method="jade_report", further=FURTHER, search=documents))
    assert stub.calls == asked, "nothing is judged again"
    assert set(RunItem.objects.values_list("judgment", flat=True)) == {judgment.pk}
    assert stored(judgment) == before


def test_judgments_that_end_without_an_overrule_cost_one_query(db):
    with CaptureQueriesContext(connection) as asked:
        follow_the_judge(Judgment, judgments=[1, 2, 3])
    assert len(asked) == 1

"""A run that is continued, and one that shares the judgment: what people overruled is kept."""

from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judge.engine.models import Judgment, RunItem
from judge.evidence import sources
from judge.evidence.search.interface import SearchError
from judge.evidence.search.store import DocumentStore
from judge.methods import registry
from judge.methods.overruling import Said
from judge.overrules.actions import overrule_finding
from judge.overrules.models import Overrule, OverruledScore
from judge.overrules.queries import findings_of
from judge.overrules.receivers import follow_the_judge
from judge.runs import lifecycle
from tests.jade.pages import folder_of
from tests.jade.test_runs import FACTS, FURTHER, responses

pytestmark = pytest.mark.django_db


@pytest.fixture
def source(tmp_path, monkeypatch):
    """Documents whose source can be switched off."""

    class Switched(DocumentStore):
        off = False

        def find(self, query, limit=5):
            if Switched.off:
                raise SearchError("the disk did not answer")
            return super().find(query, limit)

        def page(self, address):
            if Switched.off:
                raise SearchError("the disk did not answer")
            return super().page(address)

    monkeypatch.setattr(sources, "DocumentStore", Switched)
    return folder_of(tmp_path / "pages", FACTS), Switched


def stored(judgment):
    row = OverruledScore.objects.get(judgment=judgment)
    return (row.numerator, row.denominator)


def from_findings(judgment, said):
    method = registry.get(judgment.method)
    score = method.score_of(method.overruled(findings_of(judgment.pk), said))
    return (score.numerator, score.denominator)


def test_a_run_continued_later_keeps_overrules_and_their_scores_follow(
    stub, judge, plan, source, staff
):
    """The source is off, a person decides a claim, and the run is continued with the source on."""
    documents, switched = source
    responses(2, 4)
    switched.off = True
    run, _result = judge(plan(method="jade_report", further=FURTHER, search=documents))
    said = {"claim:c1": Said("supported", 100)}
    for judgment in Judgment.objects.all():
        assert judgment.state == Judgment.State.INCOMPLETE
        overrule_finding(
            actor=staff, judgment=judgment, finding="claim:c1", said=said["claim:c1"], reason="So."
        )
        assert stored(judgment)[0] is None, "the other claims are not verified"

    switched.off = False
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
    source,
    staff,
):
    documents, _switched = source
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

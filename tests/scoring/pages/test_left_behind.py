"""What somebody held whose qualification ended goes on to a colleague."""

import pytest

from curation.base.web.refusals import Conflict
from curation.joining.people import Qualification
from judge.asking.calls.record import reason_of
from judge.asking.providers.base import ErrorKind, ProviderError
from judge.scoring.agreement.meta_actions import decide_anchor, take_meta
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.pages.queue import checks_to_take, pool
from judge.scoring.sheets.actions import fill_sheet
from judge.scoring.sheets.models import Sheet
from tests.scoring.pages.conftest import verdicts

pytestmark = pytest.mark.django_db


def suspend(user):
    Qualification.objects.filter(user=user).update(active=False)


def test_a_suspended_scorers_sheet_can_be_taken_by_a_colleague(
    anchor, sheet, scorer, person, finance
):
    colleague = person("colleague", finance)
    assert list(pool(colleague)) == []
    with pytest.raises(Conflict):
        take_anchor(actor=colleague, anchor=anchor)
    suspend(scorer)
    assert list(pool(colleague)) == [anchor]
    new = take_anchor(actor=colleague, anchor=anchor)
    assert Sheet.objects.filter(purpose="anchor").get() == new
    handed = [e for e in anchor.history.all() if e.data.get("event") == "handed_back"]
    assert [e.data["scorer"] for e in handed] == [scorer.pk]
    fill_sheet(actor=colleague, sheet=new, verdicts=verdicts(new))


def test_a_check_of_somebody_who_is_no_senior_any_more_can_be_taken(
    anchor, check, checker, person, finance
):
    other = person("other", finance, senior=True)
    assert list(checks_to_take(other)) == []
    with pytest.raises(Conflict):
        take_meta(actor=other, anchor=anchor)
    Qualification.objects.filter(user=checker).update(senior=False)
    assert list(checks_to_take(other)) == [anchor]
    mine = take_meta(actor=other, anchor=anchor)
    assert MetaEvaluation.objects.get(anchor=anchor) == mine
    lines = anchor.response.sheets.get().lines.values_list("criterion_id", flat=True)
    decide_anchor(
        actor=other,
        evaluation=mine,
        verdict="validated",
        remarks="",
        lines=dict.fromkeys(lines, (True, "")),
    )
    anchor.refresh_from_db()
    assert anchor.stage == "validated"


def test_what_a_provider_says_can_be_stored_on_every_database():
    said = reason_of(ProviderError(ErrorKind.SERVER, "cut\x00 here \ud83d"))
    assert "\x00" not in said
    assert said.encode("utf-8")

"""A poor example: an anchor whose lines all say the same, and another baseline in its place."""

from typing import Any

import pytest

from curation.base.process.lifecycle import AnchorStage
from judge.asking.candidates import families
from judge.asking.candidates.models import Response
from judge.asking.providers.base import Reply, Stop, Usage
from judge.runs.engine.planning.plan import plan_run
from judge.scoring.agreement.meta_actions import take_meta
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.anchors.baseline import answer
from judge.scoring.anchors.models import Anchor, MetaEvaluation
from judge.scoring.sheets.actions import fill_sheet
from judge.scoring.sheets.models import Sheet
from tests.scoring.pages.conftest import BASELINE_MODEL, agreed, lines_of, meta_url, verdicts

pytestmark = pytest.mark.django_db
WHY = "The table says 112, so this is met."


@pytest.fixture
def poor(anchor: Anchor, sheet: Sheet, scorer: Any, checker: Any) -> MetaEvaluation:
    """The check of a sheet in which every line is TRUE."""
    fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts(sheet, met=lambda n: True))
    return take_meta(actor=checker, anchor=anchor)


class Writer:
    """A provider that writes a given text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __call__(self, who: Any, prompt: Any, **rest: Any) -> Reply:
        return Reply(self.text, Stop.COMPLETE, Usage(1, 0, 1), {}, "", 0.1, None)


def test_an_anchor_with_one_kind_of_verdict_is_called_a_poor_example(
    poor, anchor, sheet, high_desk, office
):
    page = high_desk.get(meta_url(anchor)).content.decode()
    assert "Every line is TRUE: a poor example." in page
    assert "Ask for another response" in page
    line = lines_of(sheet)[0]
    high_desk.post(
        meta_url(anchor),
        {f"agrees-{line}": "unmet", f"remark-{line}": WHY, "version": "1"},
        headers={"X-Autosave": "1"},
    )
    assert "a poor example" not in high_desk.get(meta_url(anchor)).content.decode()
    page = office.get("/staff/gold/anchors/?show=poor").content.decode()
    assert "every line TRUE" in page


def test_a_mixed_anchor_is_no_poor_example(check, anchor, high_desk, office):
    assert "a poor example" not in high_desk.get(meta_url(anchor)).content.decode()
    page = office.get("/staff/gold/anchors/?show=poor").content.decode()
    assert "No anchor is one-sided now." in page


def test_a_senior_asks_for_another_baseline_and_nothing_of_the_old_one_is_lost(
    poor, anchor, sheet, scorer, checker, high_desk, settings, monkeypatch, desk
):
    settings.BASELINE_MODEL = "openai:model-two"
    old = anchor.response
    refused = high_desk.post(meta_url(anchor), {"verdict": "replaced"})
    assert refused.status_code == 400
    assert "Say why another response is needed" in refused.content.decode()
    sent = {"verdict": "replaced", "remarks": "Everything is met, so it teaches nothing."}
    assert high_desk.post(meta_url(anchor), sent).status_code == 302
    anchor.refresh_from_db()
    old.refresh_from_db()
    assert (anchor.stage, anchor.response) == (AnchorStage.ANSWERING, None)
    assert old.baseline
    assert old.superseded_at is not None
    poor.refresh_from_db()
    assert (poor.verdict, poor.sheet) == ("replaced", sheet)
    assert sheet.lines.count() == 15
    event = anchor.history.get(to_stage=AnchorStage.ANSWERING, data__event="baseline_replaced")
    assert (event.actor, event.data["response"]) == (checker, old.key)

    monkeypatch.setattr("judge.asking.calls.model_client.ask", Writer("A weaker answer."))
    new = answer(anchor)
    assert new.baseline
    assert new.pk != old.pk
    anchor.refresh_from_db()
    assert anchor.stage == AnchorStage.SCORING
    # Its scorer of before may score it again, and the same senior gets the check.
    assert "Take this response" in desk.get("/scoring/").content.decode()
    again = take_anchor(actor=scorer, anchor=anchor)
    fill_sheet(actor=scorer, sheet=again, verdicts=verdicts(again))
    assert MetaEvaluation.objects.get(verdict="").senior == checker
    high_desk.post(meta_url(anchor), agreed(again, verdict="validated"))
    anchor.refresh_from_db()
    assert (anchor.stage, anchor.sheet) == (AnchorStage.VALIDATED, again)


def test_the_same_words_are_no_other_baseline(poor, anchor, high_desk, settings, monkeypatch):
    settings.BASELINE_MODEL = "openai:model-two"
    words = anchor.response.text
    high_desk.post(meta_url(anchor), {"verdict": "replaced", "remarks": "Poor."})
    anchor.refresh_from_db()
    monkeypatch.setattr("judge.asking.calls.model_client.ask", Writer(words))
    with pytest.raises(Exception, match="same as the previous baseline"):
        answer(anchor)
    anchor.refresh_from_db()
    assert anchor.stage == AnchorStage.ANSWERING


def test_staff_put_a_response_that_is_here_in_the_place_of_a_validated_baseline(
    check, anchor, sheet, high_desk, rival, office
):
    high_desk.post(meta_url(anchor), agreed(sheet, verdict="validated"))
    address = f"/staff/gold/anchors/{anchor.pk}/baseline/"
    assert BASELINE_MODEL in office.get(address).content.decode()
    assert office.post(address, {"response": rival.pk}).status_code == 400  # no reason
    sent = {"reason": "It hardly tries.", "response": rival.pk}
    assert office.post(address, sent).status_code == 302
    anchor.refresh_from_db()
    assert (anchor.stage, anchor.sheet) == (AnchorStage.ANSWERING, None)
    assert answer(anchor) == rival
    rival.refresh_from_db()
    anchor.refresh_from_db()
    assert (rival.baseline, anchor.stage) == (True, AnchorStage.SCORING)
    assert Response.objects.filter(baseline=True).count() == 2
    assert BASELINE_MODEL in office.get("/staff/gold/anchors/").content.decode()


def test_a_scorer_whose_response_is_replaced_under_way_is_told_and_may_take_the_next(
    sheet, anchor, rival, office, desk
):
    sent = {"reason": "It hardly tries.", "response": rival.pk}
    assert office.post(f"/staff/gold/anchors/{anchor.pk}/baseline/", sent).status_code == 302
    assert desk.get(f"/sheets/{sheet.pk}/").status_code == 404
    told = desk.get("/notices/").content.decode()
    assert f"The response to “{anchor.task}” you were scoring was replaced" in told
    anchor.refresh_from_db()
    answer(anchor)
    assert "Take this response" in desk.get("/scoring/").content.decode()
    assert desk.post(f"/scoring/anchors/{anchor.pk}/take/").status_code == 302


def test_who_handed_the_sheet_back_is_not_offered_it_again(sheet, anchor, desk):
    desk.post(f"/sheets/{sheet.pk}/hand-back/", {"reason": "No time this week."})
    assert "Take this response" not in desk.get("/scoring/").content.decode()


def test_a_response_that_was_scored_or_judged_becomes_no_baseline(
    check, anchor, rival, scorer, office, task, person, finance, staff
):
    from judge.scoring.assignments.actions import assign_alignment_sheet

    address = f"/staff/gold/anchors/{anchor.pk}/baseline/"
    other = Response.objects.create(
        key="judged",
        task=task,
        candidate=families.candidate_named("judged"),
        text="x",
        source="imported",
    )
    assign_alignment_sheet(actor=staff, response=rival, scorer=person("third", finance))
    plan_run(actor=None, method="zero_shot", provider="offline", model="r", candidates=["judged"])
    for response in (rival, other, anchor.response):
        sent = {"reason": "It hardly tries.", "response": response.pk}
        assert office.post(address, sent).status_code == 400
    anchor.refresh_from_db()
    assert anchor.stage == AnchorStage.META_EVALUATION


def test_the_offline_rules_are_not_asked_for_the_same_words_again(anchor, sheet, office, desk):
    baseline = families.candidate_named("rules-1 (baseline)")
    Response.objects.filter(pk=anchor.response_id).update(candidate=baseline)
    address = f"/staff/gold/anchors/{anchor.pk}/baseline/"
    answered = office.post(address, {"reason": "It hardly tries."})
    assert answered.status_code == 400
    assert "The offline rules write the same words each time." in answered.content.decode()
    assert office.post(address, {"reason": "x", "model": "nobody:x"}).status_code == 400
    sent = {"reason": "It hardly tries.", "model": "openai:model-two"}
    assert office.post(address, sent).status_code == 302
    anchor.refresh_from_db()
    assert anchor.model == "openai:model-two"
    # The sheet that was open went back with what was scored on record.
    assert not Sheet.objects.filter(pk=sheet.pk).exists()
    assert anchor.history.filter(data__event="handed_back").exists()
    assert office.post(address, sent).status_code == 409


def test_replacing_is_for_staff(anchor, desk, high_desk):
    address = f"/staff/gold/anchors/{anchor.pk}/baseline/"
    for client in (desk, high_desk):
        assert client.post(address, {"reason": "x"}).status_code == 403

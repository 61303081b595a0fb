"""Corrections of a senior, two scorers of one anchor, and another baseline for a poor example."""

from typing import Any

import pytest
from django.utils import timezone

from curation.lifecycle import AnchorStage
from judge import candidates
from judge.actions.anchors import take_anchor, take_meta
from judge.actions.gold import draw_gold, set_anchor_policy
from judge.actions.sheets import fill_sheet
from judge.agreement import submitted_sheets
from judge.answers import answer
from judge.engine.material import load
from judge.gold.draw import Wish
from judge.models import (
    Adjudication,
    Anchor,
    MetaEvaluation,
    MetaLine,
    Response,
    RunItem,
    Sheet,
)
from judge.providers import Reply, Stop, Usage
from judge.runs import plan_run
from tests.scoring.conftest import BASELINE_MODEL, verdicts

pytestmark = pytest.mark.django_db
WHY = "The table says 112, so this is met."


@pytest.fixture
def office(sign_in: Any, staff: Any) -> Any:
    return sign_in(staff)


def lines_of(sheet: Sheet) -> list[int]:
    rows = sheet.lines.order_by("criterion__position")
    return list(rows.values_list("criterion_id", flat=True))


def agreed(sheet: Sheet, **other: str) -> dict[str, str]:
    return {**{f"agrees-{pk}": "true" for pk in lines_of(sheet)}, **other}


def url(anchor: Anchor) -> str:
    return f"/meta/{anchor.pk}/"


# --- corrections ----------------------------------------------------------------------------------
def test_a_correction_counts_and_what_the_scorer_wrote_stays(
    check, anchor, sheet, high_desk, checker, desk
):
    first, second, *_rest = lines_of(sheet)  # the scorer said TRUE, then FALSE
    before = list(sheet.lines.order_by("pk").values_list("met", "rationale", "at"))
    page = high_desk.get(url(anchor)).content.decode()
    assert "Correct to FALSE" in page
    assert "Correct to TRUE" in page
    sent = agreed(sheet, verdict="validated")
    sent |= {f"agrees-{second}": "met", f"remark-{second}": WHY}
    assert high_desk.post(url(anchor), sent).status_code == 302
    anchor.refresh_from_db()
    assert anchor.stage == AnchorStage.VALIDATED
    settled = anchor.sheet
    assert (settled.purpose, settled.user, settled.pk != sheet.pk) == ("settled", checker, True)
    said = dict(settled.lines.values_list("criterion_id", "met"))
    assert (said[first], said[second]) == (True, True)
    assert settled.lines.get(criterion=second).rationale == WHY
    assert settled.lines.get(criterion=first).rationale == "Paragraph 0 says so."
    assert list(sheet.lines.order_by("pk").values_list("met", "rationale", "at")) == before
    line = MetaLine.objects.get(evaluation=check, criterion=second)
    assert (line.agrees, line.met, line.remark) == (False, True, WHY)
    # It is nobody's independent reading, and on no list of the senior's own sheets.
    assert list(submitted_sheets()) == [sheet]
    assert "Submitted</h2>" not in high_desk.get("/scoring/").content.decode()
    assert high_desk.get(f"/sheets/{settled.pk}/").status_code in (200, 404)


def test_the_judge_is_shown_the_corrected_line(check, anchor, sheet, high_desk, rival):
    second = lines_of(sheet)[1]
    sent = agreed(sheet, verdict="validated")
    sent |= {f"agrees-{second}": "met", f"remark-{second}": WHY}
    high_desk.post(url(anchor), sent)
    run = plan_run(actor=None, method="one_shot", provider="offline", model="rules-1")
    item = RunItem.objects.get(run=run, response=rival)
    exemplar = load(item).exemplar
    key = sheet.lines.get(criterion=second).criterion.key
    assert exemplar.verdicts[key] == (True, WHY)


def test_a_correction_needs_its_reason_and_is_kept_while_it_is_typed(
    check, anchor, sheet, high_desk
):
    second = lines_of(sheet)[1]
    sent = agreed(sheet, verdict="validated") | {f"agrees-{second}": "met"}
    answered = high_desk.post(url(anchor), sent)
    assert answered.status_code == 400
    assert "Say why you disagree with this line." in answered.content.decode()
    typed = {f"agrees-{second}": "met", f"remark-{second}": WHY, "version": "1"}
    assert high_desk.post(url(anchor), typed, headers={"X-Autosave": "1"}).status_code == 200
    page = high_desk.get(url(anchor)).content.decode()
    assert "1 corrected" in page
    assert WHY in page
    anchor.refresh_from_db()
    assert anchor.stage == AnchorStage.META_EVALUATION


def test_an_unknown_word_on_a_line_is_no_word(check, anchor, sheet, high_desk):
    sent = agreed(sheet, verdict="validated") | {f"agrees-{lines_of(sheet)[0]}": "perhaps"}
    assert high_desk.post(url(anchor), sent).status_code == 400
    assert not Sheet.objects.filter(purpose="settled").exists()


# --- two scorers ----------------------------------------------------------------------------------
@pytest.fixture
def second(task: Any, person: Any, finance: Any) -> Any:
    return person("second", finance)


@pytest.fixture
def double(anchor: Anchor) -> Anchor:
    Anchor.objects.filter(pk=anchor.pk).update(scorers=2)
    anchor.refresh_from_db()
    return anchor


@pytest.fixture
def both(double: Anchor, scorer: Any, second: Any) -> list[Sheet]:
    """Two sheets handed in that differ on the first line alone."""
    sheets = [take_anchor(actor=user, anchor=double) for user in (scorer, second)]
    fill_sheet(actor=scorer, sheet=sheets[0], verdicts=verdicts(sheets[0]))
    other = verdicts(sheets[1], met=lambda n: n % 2 == 0 and n > 0)
    fill_sheet(actor=second, sheet=sheets[1], verdicts=other)
    double.refresh_from_db()
    return sheets


def test_staff_let_two_people_score_anchors_drawn_from_then_on(task, office, staff):
    page = office.get("/staff/gold/anchors/")
    assert page.status_code == 200
    assert office.post("/staff/gold/anchors/", {"scorers": 3}).status_code == 400
    assert office.post("/staff/gold/anchors/", {"scorers": 2}).status_code == 302
    draw_gold(actor=staff, wish=Wish(size=1, seed=1))
    assert Anchor.objects.get().scorers == 2
    set_anchor_policy(actor=staff, scorers=1)
    assert Anchor.objects.get().scorers == 2


def test_the_first_of_two_waits_for_the_second_and_neither_sees_the_other(
    double, scorer, second, desk, sign_in, checker
):
    first = take_anchor(actor=scorer, anchor=double)
    other_desk = sign_in(second)
    assert "Take this response" in other_desk.get("/scoring/").content.decode()
    other = take_anchor(actor=second, anchor=double)
    assert (first.slot, other.slot) == (1, 2)
    assert "Take this response" not in sign_in(checker).get("/scoring/").content.decode()
    said = {key: (met, f"Mine alone: {why}") for key, (met, why) in verdicts(first).items()}
    fill_sheet(actor=scorer, sheet=first, verdicts=said)
    double.refresh_from_db()
    assert double.stage == AnchorStage.SCORING
    for address in (f"/sheets/{other.pk}/", f"/api/v1/sheets/{other.pk}/", "/scoring/"):
        assert "Mine alone" not in other_desk.get(address).content.decode()
    assert other_desk.get(f"/sheets/{first.pk}/").status_code == 404
    fill_sheet(actor=second, sheet=other, verdicts=verdicts(other))
    double.refresh_from_db()
    assert double.stage == AnchorStage.META_EVALUATION


def test_a_third_scorer_finds_no_place(both, double, checker, person, finance, sign_in):
    third = sign_in(person("third", finance))
    assert third.post(f"/scoring/anchors/{double.pk}/take/").status_code == 409
    assert Sheet.objects.filter(purpose="anchor").count() == 2


def test_a_senior_settles_what_two_scorers_differ_on(both, double, checker, high_desk):
    take_meta(actor=checker, anchor=double)
    page = high_desk.get(url(double)).content.decode()
    assert "The two scorers differ on 1 line." in page
    assert "Scorer 2" in page
    assert page.count("<b>The scorers differ.</b>") == page.count("data-go-to-line") == 1
    first = lines_of(both[0])[0]
    refused = high_desk.post(url(double), agreed(both[0], verdict="validated"))
    assert refused.status_code == 400
    sent = agreed(both[0], verdict="validated")
    sent |= {f"agrees-{first}": "unmet", f"remark-{first}": "Nowhere in the answer."}
    assert high_desk.post(url(double), sent).status_code == 302
    double.refresh_from_db()
    settled = double.sheet
    assert (double.stage, settled.purpose) == (AnchorStage.VALIDATED, "settled")
    line = settled.lines.get(criterion=first)
    assert (line.met, line.rationale) == (False, "Nowhere in the answer.")
    assert set(submitted_sheets()) == set(both)
    ruling = Adjudication.objects.get()
    assert (ruling.ruling, ruling.senior, ruling.response) == ("unmet", checker, double.response)


def test_sending_back_opens_both_sheets_and_both_scorers_read_the_remarks(
    both, double, checker, high_desk, desk, second, sign_in
):
    take_meta(actor=checker, anchor=double)
    sent = {"verdict": "sent_back", "remarks": "Look at the table again."}
    assert high_desk.post(url(double), sent).status_code == 302
    assert {sheet.state for sheet in Sheet.objects.filter(purpose="anchor")} == {"open"}
    for client, sheet in ((desk, both[0]), (sign_in(second), both[1])):
        page = client.get(f"/sheets/{sheet.pk}/").content.decode()
        assert "Look at the table again." in page
        assert client.post(f"/sheets/{sheet.pk}/submit/").status_code == 302
    double.refresh_from_db()
    assert double.stage == AnchorStage.META_EVALUATION
    check = MetaEvaluation.objects.get(verdict="")
    assert (check.senior, check.sheet, check.second) == (checker, *both)


def test_a_place_handed_back_is_free_for_a_colleague(
    both, double, checker, person, finance, sign_in, desk
):
    take_meta(actor=checker, anchor=double)
    sign_in(checker).post(url(double), {"verdict": "sent_back", "remarks": "Again."})
    desk.post(f"/sheets/{both[0].pk}/hand-back/", {"reason": "I am away."})
    third = person("third", finance)
    sheet = take_anchor(actor=third, anchor=double)
    assert sheet.slot == 1


# --- a poor example -------------------------------------------------------------------------------
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
    page = high_desk.get(url(anchor)).content.decode()
    assert "Every line is TRUE: a poor example." in page
    assert "Ask for another response" in page
    line = lines_of(sheet)[0]
    high_desk.post(
        url(anchor),
        {f"agrees-{line}": "unmet", f"remark-{line}": WHY, "version": "1"},
        headers={"X-Autosave": "1"},
    )
    assert "a poor example" not in high_desk.get(url(anchor)).content.decode()
    page = office.get("/staff/gold/anchors/?show=poor").content.decode()
    assert "every line TRUE" in page


def test_the_time_at_a_sheet_is_kept_without_the_breaks(anchor, sheet, scorer, office):
    from datetime import timedelta

    from judge.actions.sheets import score_line

    first, second, third, *_rest = sheet.version.criteria.order_by("position")
    for line, minutes in ((first, 4), (second, 30), (third, 5)):  # the second after a break
        Sheet.objects.filter(pk=sheet.pk).update(
            saved_at=timezone.now() - timedelta(minutes=minutes)
        )
        sheet.refresh_from_db()
        score_line(actor=scorer, sheet=sheet, criterion=line.pk, met=True, rationale="It does.")
    sheet.refresh_from_db()
    assert 9 * 60 <= sheet.worked_seconds <= 9 * 60 + 20
    page = office.get("/staff/gold/anchors/").content.decode()
    assert 'Minutes">9<' in page


def test_a_mixed_anchor_is_no_poor_example(check, anchor, high_desk, office):
    assert "a poor example" not in high_desk.get(url(anchor)).content.decode()
    page = office.get("/staff/gold/anchors/?show=poor").content.decode()
    assert "No anchor is one-sided now." in page


def test_a_senior_asks_for_another_baseline_and_nothing_of_the_old_one_is_lost(
    poor, anchor, sheet, scorer, checker, high_desk, settings, monkeypatch, desk
):
    settings.BASELINE_MODEL = "openai:model-two"
    old = anchor.response
    refused = high_desk.post(url(anchor), {"verdict": "replaced"})
    assert refused.status_code == 400
    assert "Say why another response is needed" in refused.content.decode()
    sent = {"verdict": "replaced", "remarks": "Everything is met, so it teaches nothing."}
    assert high_desk.post(url(anchor), sent).status_code == 302
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

    monkeypatch.setattr("judge.machine.ask", Writer("A weaker answer."))
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
    high_desk.post(url(anchor), agreed(again, verdict="validated"))
    anchor.refresh_from_db()
    assert (anchor.stage, anchor.sheet) == (AnchorStage.VALIDATED, again)


def test_the_same_words_are_no_other_baseline(poor, anchor, high_desk, settings, monkeypatch):
    settings.BASELINE_MODEL = "openai:model-two"
    words = anchor.response.text
    high_desk.post(url(anchor), {"verdict": "replaced", "remarks": "Poor."})
    anchor.refresh_from_db()
    monkeypatch.setattr("judge.machine.ask", Writer(words))
    with pytest.raises(Exception, match="same as the baseline"):
        answer(anchor)
    anchor.refresh_from_db()
    assert anchor.stage == AnchorStage.ANSWERING


def test_staff_put_a_response_that_is_here_in_the_place_of_a_validated_baseline(
    check, anchor, sheet, high_desk, rival, office
):
    high_desk.post(url(anchor), agreed(sheet, verdict="validated"))
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


def test_a_response_that_was_scored_or_judged_becomes_no_baseline(
    check, anchor, rival, scorer, office, task, person, finance, staff
):
    from judge.actions.sheets import assign_alignment_sheet

    address = f"/staff/gold/anchors/{anchor.pk}/baseline/"
    other = Response.objects.create(
        key="judged", task=task, candidate=candidates.named("judged"), text="x", source="imported"
    )
    assign_alignment_sheet(actor=staff, response=rival, scorer=person("third", finance))
    plan_run(actor=None, method="zero_shot", provider="offline", model="r", candidates=["judged"])
    for response in (rival, other, anchor.response):
        sent = {"reason": "It hardly tries.", "response": response.pk}
        assert office.post(address, sent).status_code == 400
    anchor.refresh_from_db()
    assert anchor.stage == AnchorStage.META_EVALUATION


def test_the_offline_rules_are_not_asked_for_the_same_words_again(anchor, sheet, office, desk):
    baseline = candidates.named("rules-1 (baseline)")
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


# --- the rubric changes under two scorers ---------------------------------------------------------
def test_the_first_of_two_sheets_opens_again_when_the_rubric_changes(
    double, scorer, second, desk, office, sign_in, author, task
):
    from judge.actions.following import follow_rubric
    from rubrics.actions import import_version

    first = take_anchor(actor=scorer, anchor=double)
    fill_sheet(actor=scorer, sheet=first, verdicts=verdicts(first))
    other = take_anchor(actor=second, anchor=double)
    lines = [
        {
            "key": line.key,
            "text": f"{line.text} Changed." if n == 0 else line.text,
            "importance": line.importance,
            "weight": line.weight,
            "dimension": line.dimension,
        }
        for n, line in enumerate(first.version.criteria.order_by("position"))
    ]
    version = import_version(task=task, lines=lines)
    follow_rubric(task=task)
    for sheet in (first, other):
        sheet.refresh_from_db()
        assert (sheet.version, sheet.state) == (version, "open")
    assert first.lines.filter(met__isnull=True).count() == 1

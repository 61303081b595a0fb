"""Corrections of a senior, and two scorers of one anchor."""

from typing import Any

import pytest
from django.utils import timezone

from curation.base.process.lifecycle import AnchorStage
from judge.gold.draws.actions import draw_gold
from judge.gold.releases.draw import DrawSpec
from judge.runs.engine.models import RunItem
from judge.runs.engine.planning.material import load
from judge.runs.engine.planning.plan import plan_run
from judge.scoring.agreement.meta_actions import take_meta
from judge.scoring.agreement.models import Adjudication
from judge.scoring.anchors.actions import set_anchor_policy, take_anchor
from judge.scoring.anchors.models import Anchor, MetaEvaluation, MetaLine
from judge.scoring.sheets.actions import fill_sheet, keep_line
from judge.scoring.sheets.models import Sheet
from judge.scoring.sheets.queries import submitted_sheets
from tests.markup import one_line
from tests.scoring.pages.conftest import agreed, lines_of, meta_url, verdicts

pytestmark = pytest.mark.django_db
WHY = "The table says 112, so this is met."


# --- corrections ----------------------------------------------------------------------------------
def test_a_correction_counts_and_what_the_scorer_wrote_stays(
    check, anchor, sheet, high_desk, checker, desk
):
    first, second, *_rest = lines_of(sheet)  # the scorer said TRUE, then FALSE
    before = list(sheet.lines.order_by("pk").values_list("met", "rationale", "at"))
    page = high_desk.get(meta_url(anchor)).content.decode()
    assert "Correct to FALSE" in page
    assert "Correct to TRUE" in page
    sent = agreed(sheet, verdict="validated")
    sent |= {f"agrees-{second}": "met", f"remark-{second}": WHY}
    assert high_desk.post(meta_url(anchor), sent).status_code == 302
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
    high_desk.post(meta_url(anchor), sent)
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
    answered = high_desk.post(meta_url(anchor), sent)
    assert answered.status_code == 400
    assert "Say why you disagree with this line." in answered.content.decode()
    typed = {f"agrees-{second}": "met", f"remark-{second}": WHY, "version": "1"}
    assert high_desk.post(meta_url(anchor), typed, headers={"X-Autosave": "1"}).status_code == 200
    page = high_desk.get(meta_url(anchor)).content.decode()
    assert "1 corrected" in page
    assert WHY in page
    anchor.refresh_from_db()
    assert anchor.stage == AnchorStage.META_EVALUATION


def test_an_unknown_word_on_a_line_is_no_word(check, anchor, sheet, high_desk):
    sent = agreed(sheet, verdict="validated") | {f"agrees-{lines_of(sheet)[0]}": "perhaps"}
    assert high_desk.post(meta_url(anchor), sent).status_code == 400
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
    assert office.post("/staff/gold/anchors/", {"scorers": 3, "read": 0}).status_code == 400
    assert office.post("/staff/gold/anchors/", {"scorers": 2, "read": 0}).status_code == 302
    draw_gold(actor=staff, spec=DrawSpec(size=1, seed=1))
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


def test_the_second_place_stays_open_whatever_domains_the_first_scorer_has(
    double, person, finance, law, second, sign_in
):
    versatile = person("versatile", finance, law)
    fill = take_anchor(actor=versatile, anchor=double)
    fill_sheet(actor=versatile, sheet=fill, verdicts=verdicts(fill))
    other = sign_in(second)
    assert "Take this response" in other.get("/scoring/").content.decode()
    assert other.post(f"/scoring/anchors/{double.pk}/take/").status_code == 302
    assert Sheet.objects.get(user=second).slot == 2


def test_the_first_of_two_is_told_that_a_second_expert_scores_next(double, scorer, second, sign_in):
    for who, said in (
        (scorer, "A second expert scores it too; then a senior checks both"),
        (second, "A senior checks it next"),
    ):
        sheet = take_anchor(actor=who, anchor=double)
        keys = dict(sheet.version.criteria.values_list("key", "pk"))
        for key, (met, why) in verdicts(sheet).items():
            keep_line(actor=who, sheet=sheet, criterion=keys[key], met=met, rationale=why)
        told = sign_in(who).post(f"/sheets/{sheet.pk}/submit/", follow=True).content.decode()
        assert said in told


def test_a_third_scorer_finds_no_place(both, double, checker, person, finance, sign_in):
    third = sign_in(person("third", finance))
    assert third.post(f"/scoring/anchors/{double.pk}/take/").status_code == 409
    assert Sheet.objects.filter(purpose="anchor").count() == 2


def test_a_senior_settles_what_two_scorers_differ_on(both, double, checker, high_desk):
    take_meta(actor=checker, anchor=double)
    page = high_desk.get(meta_url(double)).content.decode()
    assert "The two scorers differ on 1 line." in page
    assert "Scorer 2" in page
    assert page.count("<b>The scorers differ.</b>") == page.count("data-go-to-line") == 1
    first = lines_of(both[0])[0]
    refused = high_desk.post(meta_url(double), agreed(both[0], verdict="validated"))
    assert refused.status_code == 400
    sent = agreed(both[0], verdict="validated")
    sent |= {f"agrees-{first}": "unmet", f"remark-{first}": "Nowhere in the answer."}
    assert high_desk.post(meta_url(double), sent).status_code == 302
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
    assert high_desk.post(meta_url(double), sent).status_code == 302
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
    sign_in(checker).post(meta_url(double), {"verdict": "sent_back", "remarks": "Again."})
    desk.post(f"/sheets/{both[0].pk}/hand-back/", {"reason": "I am away."})
    third = person("third", finance)
    sheet = take_anchor(actor=third, anchor=double)
    assert sheet.slot == 1


def test_the_time_at_a_sheet_is_kept_without_the_breaks(anchor, sheet, scorer, office):
    from datetime import timedelta

    from judge.scoring.sheets.actions import score_line

    first, second, third, *_rest = sheet.version.criteria.order_by("position")
    for line, minutes in ((first, 4), (second, 30), (third, 5)):  # the second after a break
        Sheet.objects.filter(pk=sheet.pk).update(
            saved_at=timezone.now() - timedelta(minutes=minutes)
        )
        sheet.refresh_from_db()
        score_line(actor=scorer, sheet=sheet, criterion=line.pk, met=True, rationale="It does.")
    sheet.refresh_from_db()
    assert 9 * 60 <= sheet.worked_seconds <= 9 * 60 + 20
    page = one_line(office.get("/staff/gold/anchors/").content.decode())
    assert 'Minutes">9<' in page


# --- the rubric changes under two scorers ---------------------------------------------------------
def test_the_first_of_two_sheets_opens_again_when_the_rubric_changes(
    double, scorer, second, desk, office, sign_in, author, task
):
    from judge.scoring.assignments.follow_rubric import follow_rubric
    from rubrics.versions.actions import import_version

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

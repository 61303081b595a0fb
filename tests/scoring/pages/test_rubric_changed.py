"""A gold task is reopened and approved again: its anchor is scored again, what is frozen stays."""

from typing import Any

import pytest
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.notices.models import Notice
from curation.joining.people import Qualification
from judge.base.gold_sets.models import GoldRelease
from judge.jobs import jobs
from judge.runs.engine.models import JudgeRun, RunItem
from judge.scoring.agreement.meta_actions import decide_anchor, take_meta
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.anchors.models import Anchor, MetaEvaluation
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.sheets.actions import fill_sheet
from judge.scoring.sheets.models import Sheet, SheetLine
from review.rounds.assignment_models import Review
from tests.rubrics.walk import lines_of
from tests.scoring.pages.conftest import LINES, answered, send_back, verdicts

pytestmark = pytest.mark.django_db
NEW_WORDS = "States net debt after the purchase as EUR 134.4 million."


@pytest.fixture
def change_the_rubric(task: Any, author: Any, office: Any, sign_in: Any) -> Any:
    """Staff reopen the task, its author rewrites one line, and the reviewer approves it again."""

    def change(words: str = NEW_WORDS) -> int:
        reopened = office.post(reverse("staff-task-reopen", args=[task.pk]), {"reason": "Wrong."})
        assert reopened.status_code == 302
        study = sign_in(author)
        line = lines_of(task)[2]
        if words:
            url = reverse("rubric-line", args=[task.pk, line.pk])
            assert study.post(url, {"text": words}).status_code == 302
        assert study.post(reverse("rubric-send", args=[task.pk])).status_code == 302
        review = Review.objects.get(task=task)
        desk = sign_in(review.reviewer)
        for line in review.rounds.last().version.criteria.all():
            url = reverse("review-line", args=[review.pk, line.pk])
            assert desk.post(url, {"verdict": "approve"}).status_code == 302
        assert desk.post(reverse("review-finish", args=[review.pk])).status_code == 302
        task.refresh_from_db()
        assert task.stage == Stage.APPROVED
        return line.pk

    return change


@pytest.fixture
def validated(check: MetaEvaluation, anchor: Anchor, high_desk: Any) -> Sheet:
    """The anchor's first sheet, validated by the senior."""
    validate(check, anchor, high_desk)
    return anchor.sheet


def validate(check: MetaEvaluation, anchor: Anchor, high_desk: Any) -> None:
    lines = check.sheet.lines.values_list("criterion_id", flat=True)
    sent = {f"agrees-{pk}": "true" for pk in lines} | {"remarks": "", "verdict": "validated"}
    assert high_desk.post(reverse("meta", args=[anchor.pk]), sent).status_code == 302
    anchor.refresh_from_db()
    assert anchor.stage == "validated"


def content(sheet: Sheet) -> list[Any]:
    rows = SheetLine.objects.filter(sheet=sheet).order_by("criterion_id")
    return list(rows.values_list("criterion_id", "met", "rationale", "at"))


def told_again(scorer: Any) -> list[str]:
    """The places a scorer was sent to because the rubric changed."""
    rows = Notice.objects.filter(recipient=scorer, kind="rubric_changed_score_again")
    return list(rows.values_list("url", flat=True))


def score_what_is_left(sheet: Sheet, desk: Any) -> list[int]:
    page = desk.get(reverse("sheet", args=[sheet.pk])).context["page"]
    left = [line.pk for line in page.lines if not line.done]
    for pk in left:
        url = reverse("sheet-line", args=[sheet.pk, pk])
        assert (
            desk.post(url, {"met": "true", "rationale": "134.4 stands there."}).status_code == 302
        )
    assert desk.post(reverse("sheet-submit", args=[sheet.pk])).status_code == 302
    return left


def judged(office: Any) -> RunItem:
    """The one response of a one-shot run that is planned and started on the pages."""
    sent = {
        "method": "one_shot",
        "provider": "offline",
        "concurrency": "2",
        "calls_mode": "per_response",
    }
    answer = office.post(reverse("staff-run-new"), sent)
    assert answer.status_code == 302, answer.context["form"].errors
    run = JudgeRun.objects.latest("pk")
    office.post(reverse("staff-run-resume", args=[run.pk]))
    jobs.drain()
    return run.items.exclude(reason="baseline").get()


def frozen(office: Any) -> GoldRelease:
    """A release of the one task, and its bytes."""
    sent = {"size": "1", "seed": "7", "allocation": "proportional", "redistribute": ""}
    answer = office.post(reverse("gold-release-new"), sent | {"formats": ["jsonl"]})
    assert answer.status_code == 302
    return GoldRelease.objects.latest("number")


def bytes_of(office: Any, release: GoldRelease) -> bytes:
    return b"".join(office.get(f"/staff/gold/releases/{release.number}/all-zip/").streaming_content)


def test_an_anchor_is_scored_again_and_becomes_gold_again(
    validated, anchor, task, rival, scorer, desk, high_desk, office, change_the_rubric, settings,
    tmp_path,
):  # fmt: skip
    settings.MEDIA_ROOT = tmp_path
    first_run, first_release = judged(office), frozen(office)
    assert (first_run.state, first_run.exemplar) == ("judged", validated)
    before, packed = content(validated), bytes_of(office, first_release)

    change_the_rubric()
    anchor.refresh_from_db()
    assert (anchor.stage, anchor.sheet) == ("scoring", None)
    new = Sheet.objects.get(purpose="anchor", state="open")
    assert (new.user, new.response) == (scorer, validated.response)
    assert new.version == task.rubric_versions.latest("number")
    moved = anchor.history.get(from_stage="validated")
    assert (moved.to_stage, moved.data["sheet"]) == ("scoring", validated.pk)

    # Only the line in new words waits for a verdict; what was written on it is still there.
    page = desk.get(reverse("sheet", args=[new.pk]))
    assert "The rubric changed since you scored this response." in page.content.decode()
    assert page.context["page"].left == 1
    assert page.context["current"].text == NEW_WORDS
    assert page.context["current"].rationale == "Paragraph 2 says so."
    assert told_again(scorer) == [reverse("sheet", args=[new.pk])]
    assert "kept; the rubric changed since" in desk.get(reverse("scoring")).content.decode()
    assert len(score_what_is_left(new, desk)) == 1

    # The senior of before checks the new line; agreement with the others was kept.
    again = MetaEvaluation.objects.get(verdict="")
    assert (again.number, again.sheet) == (2, new)
    page = high_desk.get(reverse("meta", args=[anchor.pk])).context["page"]
    assert [line.text for line in page.lines if not line.agrees] == [NEW_WORDS]
    assert page.before == ""
    validate(again, anchor, high_desk)
    assert anchor.sheet == new

    # Drawn, judged with the new example, released; nothing of before has moved.
    second_run, second_release = judged(office), frozen(office)
    assert (second_run.state, second_run.exemplar) == ("judged", new)
    assert (second_release.size, second_release.manifest["counts"]["anchors"]) == (1, 1)
    first_run.refresh_from_db()
    assert (first_run.exemplar, first_run.version) == (validated, validated.version)
    assert content(validated) == before
    assert bytes_of(office, first_release) == packed


def test_a_rubric_approved_again_in_the_same_words_keeps_its_anchor(
    validated, anchor, rival, office, change_the_rubric
):
    change_the_rubric(words="")
    anchor.refresh_from_db()
    assert (anchor.stage, anchor.sheet) == ("validated", validated)
    assert judged(office).exemplar == validated


def test_a_scorer_who_may_not_score_any_more_is_followed_by_a_colleague_who_sees_nothing(
    validated, anchor, scorer, person, finance, sign_in, change_the_rubric
):
    Qualification.objects.filter(user=scorer).update(active=False)
    change_the_rubric()
    assert not Sheet.objects.filter(purpose="anchor", state="open").exists()
    assert told_again(scorer) == []
    colleague = person("colleague", finance)
    desk = sign_in(colleague)
    taken = desk.post(reverse("sheet-take", args=[anchor.pk]))
    page = desk.get(taken.headers["Location"])
    assert page.context["page"].left == LINES
    assert b"says so." not in page.content
    assert sign_in(scorer).get(taken.headers["Location"]).status_code == 403


def test_the_seats_hold_when_an_anchor_is_scored_again(
    validated, anchor, scorer, checker, author, sign_in, change_the_rubric
):
    Qualification.objects.filter(user=scorer).update(active=False)
    change_the_rubric()
    for holder in (checker, author):
        assert sign_in(holder).post(reverse("sheet-take", args=[anchor.pk])).status_code == 409


def test_a_sheet_with_a_senior_comes_back_when_the_rubric_changes(
    check, anchor, submitted, desk, checker, high_desk, change_the_rubric
):
    url = reverse("meta", args=[anchor.pk])
    high_desk.post(url, {"remarks": "So far fine.", "version": "1"}, headers={"X-Autosave": "1"})
    change_the_rubric()
    anchor.refresh_from_db()
    submitted.refresh_from_db()
    assert (anchor.stage, submitted.state) == ("scoring", "open")
    assert told_again(submitted.user) == [reverse("sheet", args=[submitted.pk])]
    released = [e for e in anchor.history.all() if e.data.get("event") == "check_released"]
    assert [e.data["draft"]["remarks"] for e in released] == ["So far fine."]
    assert high_desk.get(url).status_code == 409
    score_what_is_left(submitted, desk)
    again = take_meta(actor=checker, anchor=anchor)
    validate(again, anchor, high_desk)


def test_remarks_of_a_senior_stay_with_their_lines(
    check, anchor, sheet, checker, desk, change_the_rubric
):
    send_back(check, checker, line=4)
    change_the_rubric()
    page = desk.get(reverse("sheet", args=[sheet.pk])).context["page"]
    assert [line.n for line in page.lines if line.remark] == [5]
    assert [line.n for line in page.lines if not line.done] == [3]


def test_an_open_sheet_of_a_candidate_follows_the_rubric(
    task, rival, scorer, desk, staff, change_the_rubric
):
    sheet = assign_alignment_sheet(actor=staff, response=rival, scorer=scorer)
    lines = list(sheet.version.criteria.order_by("position"))
    for line in lines[:4]:
        url = reverse("sheet-line", args=[sheet.pk, line.pk])
        desk.post(url, {"met": "false", "rationale": f"{line.key} is missing."})
    change_the_rubric()
    page = desk.get(reverse("sheet", args=[sheet.pk])).context["page"]
    assert [line.n for line in page.lines if line.done] == [1, 2, 4]
    assert page.lines[2].rationale == f"{lines[2].key} is missing."
    kept = [e for e in task.history.all() if e.data.get("event") == "sheet_followed_rubric"]
    assert kept[0].data["lines"][lines[2].key] == [False, f"{lines[2].key} is missing."]


def test_a_response_is_scored_again_by_the_same_expert_on_the_new_rubric(
    task, rival, scorer, staff, office, change_the_rubric
):
    old = assign_alignment_sheet(actor=staff, response=rival, scorer=scorer)
    fill_sheet(actor=scorer, sheet=old, verdicts=verdicts(old))
    change_the_rubric()
    new = assign_alignment_sheet(actor=staff, response=rival, scorer=scorer)
    assert (new.version, new.user) != (old.version, old.user)
    fill_sheet(actor=scorer, sheet=new, verdicts=verdicts(new, met=lambda n: True))
    old.refresh_from_db()
    assert old.state == "submitted"


def test_an_anchor_of_an_older_rubric_that_was_left_behind_is_drawn_again(
    task, scorer, checker, office, change_the_rubric, monkeypatch
):
    """As in a programme of before: approved again while nothing followed the rubric."""
    anchor = answered(task)
    sheet = take_anchor(actor=scorer, anchor=anchor)
    fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts(sheet))
    check = take_meta(actor=checker, anchor=anchor)
    agreed = dict.fromkeys(sheet.lines.values_list("criterion_id", flat=True), (True, ""))
    decide_anchor(actor=checker, evaluation=check, verdict="validated", remarks="", lines=agreed)
    monkeypatch.setattr("judge.jobs.registrations.follow_rubric", lambda task: None)
    change_the_rubric()
    anchor.refresh_from_db()
    assert anchor.stage == "validated"
    sent = {"size": "1", "seed": "1", "allocation": "proportional", "redistribute": ""}
    page = office.get(reverse("gold-draw")).content.decode()
    assert "Draw 1 task" in page
    assert office.post(reverse("gold-draw"), sent).status_code == 302
    anchor.refresh_from_db()
    assert anchor.stage == "scoring"
    assert Sheet.objects.filter(purpose="anchor", state="open", user=scorer).exists()

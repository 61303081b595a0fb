"""Steps on many tasks: remind, give more time, assign a reviewer, move."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from curation.joining.notices.models import Notice
from curation.joining.notices.notify import words
from curation.joining.people import User
from curation.screening.panels.models import PanelPlace
from curation.staff.pipeline.deadline_in_hand import in_hand
from curation.tasks.task.models import Task
from review.rounds.assignment_models import Review
from rubrics.versions.models import Criterion, RubricVersion
from tests.conftest import make_staff

STEPS = "/staff/lists/tasks/"


@pytest.fixture
def office(review_world: Any, sign_in: Any, person: Any) -> Any:
    return sign_in(person("staff", is_staff=True))


@pytest.fixture
def draft(review_world: Any) -> Task:
    """A second task, on which nobody but its author works."""
    return Task.objects.create(
        key="other", title="Other", domain=review_world["finance"], author=review_world["author"]
    )


def both(task: Task, draft: Task) -> dict[str, str]:
    return {"rows": f"{task.pk},{draft.pk}"}


def names(rows: Any) -> list[int]:
    return [row.pk for row in rows]


def test_a_deadline_that_somebody_moved_meanwhile_is_not_moved_back(task: Task) -> None:
    (row,) = [one for one in in_hand([task.pk]) if one.key.startswith("round")]
    later = timezone.now() + timedelta(days=40)
    Review.objects.filter(pk=row.page_id).update(due_at=later)
    assert row.extend is not None
    assert not row.extend(timezone.now() + timedelta(days=9))
    assert Review.objects.get(pk=row.page_id).due_at == later


def test_whoever_has_a_task_is_reminded_once_a_day(
    office: Any, task: Task, draft: Task, peer: User
) -> None:
    page = office.post(f"{STEPS}remind/", both(task, draft))
    assert (names(page.context["can"]), names(page.context["cannot"])) == ([task.pk], [draft.pk])
    assert "Nobody has work on it in hand. Its stage: Draft." in page.content.decode()
    told = Notice.objects.filter(kind="reminded_with_date")
    assert not told.exists()  # the preview was taken back
    office.post(f"{STEPS}remind/do/", {"rows": f"{task.pk}"})
    notice = told.get()
    assert notice.recipient == peer
    assert notice.url == f"/reviews/{Review.objects.get().pk}/"
    assert task.history.filter(data__event="reminded").count() == 1
    again = office.post(f"{STEPS}remind/", {"rows": f"{task.pk}"})
    assert "The person who has it was already reminded today." in again.content.decode()
    assert office.post(f"{STEPS}remind/do/", {"rows": f"{task.pk}"}).status_code == 409
    assert told.count() == 1


def test_whoever_has_two_pieces_gets_two_notices_and_counts_as_one_person(
    office: Any, task: Task, peer: User
) -> None:
    now = timezone.now()
    PanelPlace.objects.create(task=task, member=peer, round=1, due_at=now - timedelta(days=1))
    office.post(f"{STEPS}remind/do/", {"rows": f"{task.pk}"})
    told = Notice.objects.filter(recipient=peer, kind__startswith="reminded")
    assert sorted(told.values_list("kind", flat=True)) == ["reminded_late", "reminded_with_date"]
    assert task.history.get(data__event="reminded").data["n"] == 1
    with translation.override("en"):
        (late,) = [words(row) for row in told.filter(kind="reminded_late")]
    assert "which was due on" in late.title
    assert "Your date has passed." in late.text


def test_the_author_of_a_returned_prompt_is_reminded_and_of_a_first_draft_is_not(
    office: Any, review_world: Any, draft: Task
) -> None:
    assert office.post(f"{STEPS}remind/do/", {"rows": f"{draft.pk}"}).status_code == 409
    Task.objects.filter(pk=draft.pk).update(screening_round=1)
    office.post(f"{STEPS}remind/do/", {"rows": f"{draft.pk}"})
    notice = Notice.objects.get(kind="reminded")
    assert notice.recipient == review_world["author"]
    assert notice.url == f"/tasks/{draft.pk}/edit/"


def test_a_deadline_that_has_passed_moves_from_now_and_its_reviewer_is_told(
    office: Any, task: Task, peer: User
) -> None:
    Review.objects.update(due_at=timezone.now() - timedelta(days=3))
    page = office.post(f"{STEPS}extend/", {"rows": f"{task.pk}", "checked": "1", "days": "5"})
    assert page.context["button"] == "Give more time for 1"
    assert Review.objects.get().due_at < timezone.now()
    office.post(f"{STEPS}extend/do/", {"rows": f"{task.pk}", "days": "5"})
    due = Review.objects.get().due_at
    assert timedelta(days=4) < due - timezone.now() <= timedelta(days=5)
    notice = Notice.objects.get(kind="deadline_extended")
    assert (notice.recipient, notice.data["due"]) == (peer, due.isoformat())
    event = task.history.get(data__event="deadline_extended")
    assert (event.data["days"], event.data["n"]) == (5, 1)


@pytest.mark.parametrize("days", ["", "0", "61", "x"])
def test_a_number_of_days_out_of_range_is_said_at_its_field(
    office: Any, task: Task, days: str
) -> None:
    before = Review.objects.get().due_at
    for address in (f"{STEPS}extend/", f"{STEPS}extend/do/"):
        page = office.post(address, {"rows": f"{task.pk}", "checked": "1", "days": days})
        assert page.status_code == 400
        assert page.context["form"].errors["days"]
    assert Review.objects.get().due_at == before


def test_nobody_of_the_staff_moves_their_own_deadline(
    review_world: Any, task: Task, peer: User, sign_in: Any
) -> None:
    make_staff(peer)
    own = sign_in(peer)
    page = own.post(f"{STEPS}extend/", {"rows": f"{task.pk}", "checked": "1", "days": "5"})
    assert "The deadline is your own." in page.content.decode()
    assert own.post(f"{STEPS}extend/do/", {"rows": f"{task.pk}", "days": "5"}).status_code == 409


def test_reviewers_are_assigned_to_those_that_lack_one(
    office: Any, task: Task, draft: Task, person: Any, review_world: Any
) -> None:
    page = office.post(f"{STEPS}assign/", both(task, draft))
    assert page.context["can"] == []
    assert "This task is not in review now." in page.content.decode()
    Review.objects.update(state="declined", reason="Away.")
    nobody = office.post(f"{STEPS}assign/", {"rows": f"{task.pk}"})
    assert "already holds a seat on the task" in nobody.content.decode()
    fresh = person("fresh", review_world["finance"])
    form = {"rows": f"{task.pk}", "reviewer": "FRESH@example.test"}
    office.post(f"{STEPS}assign/do/", form)
    assert Review.objects.get(state="assigned").reviewer == fresh
    unknown = office.post(f"{STEPS}assign/", form | {"checked": "1", "reviewer": "who@x.test"})
    assert unknown.status_code == 400
    assert "Nobody has this address." in unknown.content.decode()


def test_moves_need_a_reason_and_what_cannot_move_is_named(
    office: Any, task: Task, draft: Task
) -> None:
    Task.objects.filter(pk=draft.pk).update(stage="withdrawn")
    for key in ("reopen", "take-back", "discard"):
        page = office.post(f"{STEPS}{key}/", both(task, draft) | {"checked": "1", "reason": " "})
        assert page.status_code == 400, key
        page = office.post(f"{STEPS}{key}/", both(task, draft) | {"checked": "1", "reason": "So."})
        assert task.pk in names(page.context["cannot"]), key
        assert all(row.why for row in page.context["cannot"]), key
    assert set(Task.objects.values_list("stage", flat=True)) == {"in_review", "withdrawn"}


def approve(*tasks: Task) -> None:
    """Give each task a reviewed version with a line of the one in review, and approve it."""
    line = Criterion.objects.earliest("pk")
    for row in tasks:
        version = RubricVersion.objects.create(task=row, number=1, origin="expert")
        line.pk, line.version = None, version
        line.save(force_insert=True)
        frozen = RubricVersion.objects.filter(pk=version.pk)
        frozen.update(frozen_at=timezone.now(), sha256="0" * 64)
    Task.objects.filter(pk__in=[row.pk for row in tasks]).update(stage="approved")


def move(office: Any, step: str, *tasks: Task) -> Any:
    rows = ",".join(str(row.pk) for row in tasks)
    return office.post(f"{STEPS}{step}/do/", {"rows": rows, "reason": "Asked for."})


def test_approved_tasks_are_discarded_taken_back_and_opened_again_with_history_and_notices(
    office: Any, draft: Task, review_world: Any
) -> None:
    other = Task.objects.create(
        key="third", title="Third", domain=review_world["finance"], author=review_world["author"]
    )
    both_of_them = Task.objects.filter(pk__in=(draft.pk, other.pk))
    approve(draft, other)
    for step, before, after, kind in (
        ("discard", "approved", "discarded", "task_discarded"),
        ("take-back", "discarded", "approved", "task_taken_back"),
        ("reopen", "approved", "refining", "task_reopened"),
    ):
        assert move(office, step, draft, other).status_code == 302, step
        assert set(both_of_them.values_list("stage", flat=True)) == {after}, step
        for row in both_of_them:
            event = row.history.get(from_stage=before, to_stage=after)
            assert event.reason == "Asked for.", step
        told = Notice.objects.filter(kind=kind)
        assert {row.recipient for row in told} == {review_world["author"]}, step
        assert told.count() == 2, step


@pytest.mark.parametrize("step", ["discard", "take-back", "reopen"])
def test_a_move_is_made_for_all_or_for_none(
    office: Any, task: Task, draft: Task, step: str
) -> None:
    approve(draft)
    if step == "take-back":
        assert move(office, "discard", draft).status_code == 302
    before = Task.objects.get(pk=draft.pk)
    page = move(office, step, draft, task)  # this one is in review: it can take none of them
    assert page.status_code == 409
    assert (names(page.context["can"]), names(page.context["cannot"])) == ([draft.pk], [task.pk])
    assert "Possible for 1" in page.content.decode()
    assert "Not possible for 1" in page.content.decode()
    now = Task.objects.get(pk=draft.pk)
    assert (now.stage, now.history.count()) == (before.stage, before.history.count())


def test_the_work_in_hand_costs_the_same_for_one_task_and_for_many(
    office: Any, task: Task, review_world: Any
) -> None:
    counted = []
    for n in (0, 20):
        for i in range(n):
            Task.objects.create(
                key=f"r{i}",
                title=f"R {i}",
                stage="refining",
                domain=review_world["finance"],
                author=review_world["author"],
            )
        with CaptureQueriesContext(connection) as queries:
            found = in_hand()
        counted.append(len(queries))
    assert len(found) == 21
    assert counted[0] == counted[1] < 9


def test_nobody_but_staff_takes_a_step(review_world: Any, task: Task, sign_in: Any) -> None:
    for who in ("author", "peer"):
        browser = sign_in(review_world[who])
        for key in ("remind", "extend", "assign", "reopen", "take-back", "discard"):
            assert browser.post(f"{STEPS}{key}/do/", {"rows": f"{task.pk}"}).status_code == 403
    assert not Notice.objects.filter(kind="reminded_with_date").exists()

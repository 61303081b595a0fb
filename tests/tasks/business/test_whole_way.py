"""A task from business goes from its owner's permission into the benchmark, without an author."""

from typing import Any

import pytest
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.notices.models import Notice
from curation.screening.panels.actions import fill_panel, join_panel
from curation.screening.panels.voting_actions import open_screening, vote
from curation.tasks.authoring.actions import submit_task
from curation.tasks.task.models import Slot, Task
from judge.gold.releases.draw import DrawSpec
from judge.gold.releases.pool import pool
from judge.gold.releases.release import release_gold
from review.rounds.actions import finish_round, set_verdict
from review.rounds.assignment_models import Review
from rubrics.handover.models import without_a_writer
from rubrics.sending.actions import send_to_review
from rubrics.versions.actions import record_draft
from tests.conftest import browser_of
from tests.rubrics.walk import drafted_lines, keep_it
from tests.tasks.business.conftest import collected, deidentified


@pytest.fixture
def people(person: Any, finance: Any) -> dict[str, Any]:
    found = {name: person(name, finance) for name in ("screener", "writer", "reviewer")}
    found |= {name: person(name, is_staff=True) for name in ("staff", "colleague")}
    return found


@pytest.fixture(autouse=True)
def nothing_is_drawn(settings: Any) -> None:
    settings.SPOT_CHECK_RATE = 0.0


def test_it_passes_every_stage_and_may_enter_gold(people, finance):
    staff, writer, reviewer = people["staff"], people["writer"], people["reviewer"]
    task = deidentified(collected(staff, finance), staff, people["colleague"])
    submit_task(actor=staff, task=task)
    assert not Slot.objects.filter(task=task).exists()
    open_screening(task=task)
    keep_it(people["screener"], task)
    task.refresh_from_db()
    assert task.stage == Stage.DRAFTING
    record_draft(task=task, lines=drafted_lines(15), drafted_by="Model D")
    task.refresh_from_db()
    assert task.stage == Stage.REFINING

    # Staff see on Home that nobody writes the rubric, and give it to an expert.
    assert list(without_a_writer()) == [task]
    home = browser_of(staff).get("/").content.decode()
    assert "it came from business and has no author" in home
    page = browser_of(staff).get(f"/staff/tasks/{task.pk}/rubric-author/")
    assert page.status_code == 200
    given = browser_of(staff).post(
        f"/staff/tasks/{task.pk}/rubric-author/",
        {"taker": writer.pk, "reason": "She knows the field."},
    )
    assert given.status_code == 302, given.content.decode()
    task.refresh_from_db()
    assert task.rubric_author == writer
    assert Notice.objects.filter(recipient=writer, kind="rubric_taken_over").exists()
    assert browser_of(writer).get(reverse("rubric", args=[task.pk])).status_code == 200

    send_to_review(actor=writer, task=task)
    review = Review.objects.get(task=task)
    assert review.reviewer == reviewer
    round_1 = review.rounds.get()
    for line in round_1.version.criteria.all():
        set_verdict(actor=reviewer, round=round_1, criterion=line, verdict="approve")
    finish_round(actor=reviewer, round=round_1)
    task.refresh_from_db()
    assert task.stage == Stage.APPROVED
    assert [entry.pk for entry in pool().entries] == [task.pk]
    release = release_gold(actor=staff, spec=DrawSpec(size=1, seed=1, allow_unanchored=True))
    assert release.items.count() == 1 if hasattr(release, "items") else release.pk
    for name, address in (
        ("staff", f"/staff/tasks/{task.pk}/"),
        ("staff", f"/tasks/{task.pk}/"),
        ("staff", f"/tasks/{task.pk}/story/"),
        ("writer", f"/tasks/{task.pk}/"),
        ("reviewer", f"/tasks/{task.pk}/"),
        ("screener", f"/tasks/{task.pk}/"),
        ("staff", "/staff/pipeline/"),
        ("staff", "/staff/tasks/"),
        ("staff", "/staff/business/"),
    ):
        page = browser_of(people[name]).get(address)
        assert page.status_code == 200, (name, address)
        if name != "staff":
            assert "Harbour" not in page.content.decode()


def test_a_returned_task_is_corrected_by_staff_and_gone_through_again(people, finance):
    staff, colleague = people["staff"], people["colleague"]
    task = deidentified(collected(staff, finance), staff, colleague)
    submit_task(actor=staff, task=task)
    open_screening(task=task)
    join_panel(actor=people["screener"], task=task)
    vote(
        actor=people["screener"],
        task=task,
        difficult=True,
        representative=True,
        gradable=False,
        decision="return",
        reasons="Say what counts as a company.",
    )
    task.refresh_from_db()
    assert task.stage == Stage.DRAFT
    assert Notice.objects.filter(recipient=staff, kind="task_returned").exists()
    browser = browser_of(staff)
    page = browser.get(f"/tasks/{task.pk}/edit/").content.decode()
    assert "Say what counts as a company." in page
    fields = {"version": task.version, "language": "en"}
    fields["requirements"] = "Name firms with over 50 people."
    assert browser.post(f"/tasks/{task.pk}/save/", fields).status_code == 200
    refused = browser.post(f"/tasks/{task.pk}/submit/", follow=True)
    assert refused.redirect_chain[-1][0] == f"/staff/business/{task.pk}/"
    assert "Two people go through this text" in refused.content.decode()
    deidentified(Task.objects.get(pk=task.pk), colleague, staff)
    # The editor's button saves first; the same text again needs no new check.
    sent = {"version": Task.objects.get(pk=task.pk).version, "language": "en", "minutes": "45"}
    assert browser.post(f"/tasks/{task.pk}/submit/", sent).status_code == 302
    task.refresh_from_db()
    assert (task.stage, task.screening_round) == (Stage.SUBMITTED, 2)


def test_the_rubric_is_given_before_the_panel_is_drawn_and_its_writer_is_left_out(people, finance):
    staff, writer = people["staff"], people["writer"]
    task = deidentified(collected(staff, finance), staff, people["colleague"])
    submit_task(actor=staff, task=task)
    answer = browser_of(staff).post(
        f"/staff/tasks/{task.pk}/rubric-author/",
        {"taker": writer.pk, "reason": "He collected such briefs for years."},
    )
    assert answer.status_code == 302, answer.content.decode()
    open_screening(task=task)
    fill_panel(task)
    assert not task.seats.filter(user=writer, role="screener").exists()
    assert task.seats.filter(role="screener").exists()
    assert browser_of(writer).get(f"/tasks/{task.pk}/").status_code == 200

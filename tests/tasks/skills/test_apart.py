"""A skill is no task of the benchmark: nothing that draws, runs, lists or counts tasks has it."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from curation.base.web.refusals import Conflict
from curation.staff.pipeline.queries import pipeline
from curation.tasks.amendments.actions import propose_amendment
from curation.tasks.authoring.similar_actions import comparable, store_missing_fingerprints
from curation.tasks.authoring.similar_models import Fingerprint
from curation.tasks.business.reverification_actions import ask_for_due
from curation.tasks.coverage.queries import domain_rows
from curation.tasks.task.models import Change, Slot, Task
from curation.tasks.task.queries import slots_of, tasks_of
from judge.asking.candidates.families import candidate_named
from judge.asking.candidates.models import Response
from judge.base.gold_sets.retirements import retire_task
from judge.gold.releases.pool import pool
from judge.results.registry.actions import tasks_to_answer
from judge.results.registry.queries import candidate_rows
from judge.scoring.anchors.models import Anchor
from judge.suggesting.drafts.generate import tasks_waiting_for_draft
from rubrics.sending.actions import send_to_review
from rubrics.versions.balance import usual_essential_share
from tests.conftest import browser_of
from tests.tasks.skills.conftest import new_skill, written
from tests.tasks.skills.test_life import approve_all


@pytest.fixture
def skill(staff, finance, author, person, settings) -> Task:
    """An approved skill."""
    settings.SPOT_CHECK_RATE = 0.0
    person("reviewer", finance)
    made = written(author, new_skill(staff, finance, "Compare offers", author))
    send_to_review(actor=author, task=made)
    return approve_all(made)


def test_it_enters_no_draw_and_no_release(skill):
    found = pool()
    assert found.entries == ()
    assert (found.external, found.without_rubric) == (0, 0)
    assert not Anchor.objects.exists()
    with pytest.raises(Conflict) as refusal:
        retire_task(actor=None, task=skill, reason="No draw takes it.")
    assert refusal.value.code == "never_drawn"


def test_no_candidate_is_asked_it_and_no_response_to_it_is_imported(skill, tmp_path):
    candidate_named("Model A")
    assert not tasks_to_answer().exists()
    assert [row.of for row in candidate_rows()] == [0]
    path = tmp_path / "responses.jsonl"
    line = {"id": "r1", "task": skill.key, "candidate": "Model A", "text": "An answer."}
    path.write_text(json.dumps(line), encoding="utf-8")
    with pytest.raises(CommandError, match="There is no task"):
        call_command("import_responses", str(path))
    assert not Response.objects.exists()


def test_no_file_of_tasks_has_it_and_none_makes_one(skill, tmp_path, author):
    out = tmp_path / "tasks.jsonl"
    call_command("export_tasks", str(out), without_files=True)
    assert out.read_text(encoding="utf-8") == ""
    with pytest.raises(CommandError):
        call_command("export_tasks", str(tmp_path / "more.jsonl"), "--origin", "skill")


def test_it_takes_no_slot_and_counts_among_nobodys_prompts(skill, author):
    assert not Slot.objects.exists()
    assert all(slot.task is None for slot in slots_of(author))
    assert tasks_of(author) == []
    assert "Compare offers" not in browser_of(author).get(reverse("tasks")).content.decode()


def test_lists_and_counts_of_tasks_leave_it_out(skill, staff, finance):
    browser = browser_of(staff)
    for address in ("/staff/pipeline/", "/staff/tasks/", "/labels/", "/staff/methods/"):
        answer = browser.get(address)
        assert answer.status_code in (200, 404), address
        assert "Compare offers" not in answer.content.decode(), address
    assert "Compare offers" in browser.get("/staff/tasks/?origin=skill").content.decode()
    listed = browser.get("/api/v1/tasks/").json()
    assert (listed["count"], listed["results"]) == (0, [])
    assert browser.get("/api/v1/tasks/?origin=skill").json()["count"] == 1
    assert [(row.tasks, row.gaps) for row in domain_rows()] == [(0, 0)]
    assert usual_essential_share(finance.pk) is None
    found = pipeline()
    assert (found.under_way, found.approved, found.approved_lately) == (0, 0, 0)
    assert all(row.moved_on is None for row in found.rows)
    assert [(row.approved, row.closed, row.days) for row in found.domains] == [(0, 0, None)]


def test_no_machine_works_on_it(skill):
    assert not comparable().exists()
    store_missing_fingerprints()
    assert not Fingerprint.objects.exists()
    assert not tasks_waiting_for_draft().exists()
    Task.objects.filter(pk=skill.pk).update(change=Change.DYNAMIC, valid_until=timezone.localdate())
    assert not ask_for_due()


def test_its_text_is_that_of_its_label(skill, staff):
    with pytest.raises(Conflict, match="text of its label"):
        propose_amendment(
            actor=staff,
            task=skill,
            version=skill.version,
            reason="Another name.",
            parts={"scenario": "Something else."},
        )
    page = browser_of(staff).get(f"/staff/tasks/{skill.pk}/").content.decode()
    for step in ("Amend the text", "Retire from draws", "Set the work type", "responses scored"):
        assert step not in page, step
    assert "Reopen" in page
    assert browser_of(staff).get(reverse("task-labels", args=[skill.pk])).status_code == 200


def test_home_counts_no_task(skill, author, staff):
    """Neither as a prompt of its writer nor among the tasks of staff."""
    for somebody in (author, staff):
        page = browser_of(somebody).get("/")
        assert page.status_code == 200
        assert reverse("task", args=[skill.pk]) not in page.content.decode()

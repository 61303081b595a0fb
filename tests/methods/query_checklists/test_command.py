"""`manage.py compose_checklists`: proposes, puts in use if asked, and changes nothing twice."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from curation.tasks.task.models import Task
from judge.methods.query_checklists.compose import compose
from judge.methods.query_checklists.models import QueryChecklist
from judge.methods.query_checklists.queries import frozen_for
from tests.conftest import browser_of
from tests.methods.query_checklists.labelled import label_all


def run(*options: str) -> str:
    said = StringIO()
    call_command("compose_checklists", *options, stdout=said)
    return said.getvalue()


def rows(*options: str) -> list[dict]:
    return [json.loads(line) for line in run(*options, "--json").splitlines()]


def test_it_proposes_for_labelled_tasks_and_a_person_puts_them_in_use(checklist_world, task, staff):
    said = run()
    assert "x-1: proposed, waits for a person (5 lines)" in said
    assert "checklists: 1 proposed" in said
    assert "x-2" not in said  # it has no label
    assert frozen_for([task.pk]) == {}
    assert "a proposal waits already" in run()
    made = QueryChecklist.objects.get()
    shown = browser_of(staff).get(reverse("query-checklist", args=[task.pk])).content.decode()
    assert "on the command line" in shown
    browser_of(staff).post(
        reverse("checklist-use", args=[made.pk]), {"sha256": compose(task).sha256}
    )
    assert "in use already, with the same lines" in run()
    assert QueryChecklist.objects.count() == 1


def test_approve_puts_them_in_use_and_says_so_as_json(checklist_world, task, staff):
    (done,) = rows("--approve")
    used = frozen_for([task.pk])[task.pk]
    assert done == {
        "task": "x-1",
        "outcome": "in_use",
        "number": 1,
        "lines": 5,
        "sha256": used.sha256,
    }
    assert [one["outcome"] for one in rows("--approve")] == ["unchanged"]
    label_all(staff, task, checklist_world["supplier"])
    assert [(one["outcome"], one["number"]) for one in rows("--approve")] == [("in_use", 2)]
    assert QueryChecklist.objects.get(number=1).state == "replaced"


def test_tasks_without_an_active_skill_or_without_points_are_named(checklist_world, task, staff):
    assert [one["outcome"] for one in rows("--tasks", "x-2")] == ["nothing_active"]
    rules = checklist_world["rules"]
    label_all(staff, checklist_world["bare"], rules)
    rules.skill.rubric_versions.get().criteria.update(dimension="critical_flaw")
    assert [one["outcome"] for one in rows("--tasks", "x-2,x-1", "--approve")] == [
        "in_use",
        "nothing_to_earn",
    ]


def test_unknown_keys_and_skills_are_refused_and_nothing_is_stored(checklist_world):
    skill = checklist_world["supplier"].skill
    for keys in ("x-1,nothing", f"x-1,{skill.key}"):
        with pytest.raises(CommandError, match=keys.split(",")[1]):
            run("--tasks", keys)
    assert not QueryChecklist.objects.exists()


def test_it_says_when_no_task_has_a_label(checklist_world, task, staff):
    label_all(staff, task)
    Task.objects.filter(pk=task.pk).update(stage="rejected")
    with pytest.raises(CommandError, match="No task has a label yet"):
        run()

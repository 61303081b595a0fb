"""The form of a run counts the responses whose tasks have a checklist in use."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from judge.methods.query_checklists.queries import frozen_for
from judge.runs.pages.forms import offered_methods
from tests.methods.query_checklists.conftest import in_use, proposed
from tests.runs.engine.factory import respond


def choice_of(method):
    return str(dict(offered_methods())[method])


def test_a_response_to_a_task_without_a_checklist_does_not_fit(checklist_world, task, staff):
    respond(task, "system-1", "One.")
    respond(checklist_world["bare"], "system-1", "Two.")
    checklist = proposed(staff, task)
    assert "fits 0 of 2 responses" in choice_of("jade")
    in_use(staff, task, checklist)
    for method in ("jade", "jade_skills"):
        assert "fits 1 of 2 responses, the others are skipped" in choice_of(method)
    for method in ("jade_report", "jade_flat", "graded"):
        assert "fits" not in choice_of(method)


def test_methods_with_the_same_need_are_counted_once(checklist_world, task, staff):
    respond(task, "system-1", "One.")
    with CaptureQueriesContext(connection) as queries:
        offered_methods()
    assert len(queries) == 3  # responses; those with a checklist, those with a scored example


def test_a_line_in_use_names_its_skill(checklist_world, task, staff):
    in_use(staff, task)
    lines = frozen_for([task.pk])[task.pk].lines
    assert {line.skill_name for line in lines} == {"Find a supplier", "Compare offers"}

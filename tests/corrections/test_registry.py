"""Every model that leads to a task says how it rests on the task's text."""

from django.apps import apps

from curation.tasks.task import text_basis
from curation.tasks.task.models import Task

OURS = ("curation", "rubrics", "review", "judge")


def leading_to_a_task() -> set[str]:
    """The models with a foreign key to Task, directly or through other models, and Task itself."""
    models = [m for m in apps.get_models() if m._meta.app_label in OURS]
    found: set[type] = {Task}
    while True:
        more = {
            model
            for model in models
            if model not in found
            and any(
                field.related_model in found
                for field in model._meta.get_fields()
                if field.concrete and (field.many_to_one or field.one_to_one)
            )
        }
        if not more:
            return {model._meta.label for model in found}
        found |= more


def test_no_model_that_leads_to_a_task_is_forgotten():
    assert leading_to_a_task() - set(text_basis.registered()) == set()


def test_no_row_is_about_a_model_that_leads_to_no_task():
    assert set(text_basis.registered()) - leading_to_a_task() == set()


def test_what_stores_the_version_of_the_text_goes_stale_by_it():
    storing = {
        model._meta.label
        for model in apps.get_models()
        if "text_version" in {field.name for field in model._meta.get_fields()}
    }
    assert storing == {
        "curation.Amendment",
        "judge.GoldItem",
        "judge.Response",
        "rubrics.RubricVersion",
    }
    rows = text_basis.registered()
    assert all(rows[label].stale for label in storing - {"curation.Amendment"})

"""All methods of judging by their keys. A new method is a package and a row here.

Runs and judgments store a method's key. The database knows no list of them, so a new method needs
no migration: a run is planned with a known key only (`judge.runs.engine.planning.plan`).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from curation.tasks.task.models import Task
from judge.asking.providers.inputs import TaskText
from judge.methods.base.method import Method
from judge.methods.base.values import DraftPlan
from judge.methods.checklist.method import OneShot, ZeroShot
from judge.methods.conditions.method import Conditions
from judge.methods.exact.method import Exact
from judge.methods.graded.method import Graded
from judge.methods.jade.ablations import JadeFlat, JadeReport, JadeSkills
from judge.methods.jade.method import Jade
from judge.methods.list_match.method import ListMatch
from judge.methods.questions.method import Questions

METHODS: Mapping[str, Method] = {
    method.key: method
    for method in (
        *(OneShot(), ZeroShot(), Graded(), ListMatch(), Questions(), Exact(), Conditions()),
        *(Jade(), JadeSkills(), JadeReport(), JadeFlat()),
    )
}

WRONG_FORM = "wrong_form"
_GENERAL_SKIPS = {WRONG_FORM: _("the method does not judge this form of answer")}


def get(key: str) -> Method:
    """Return a method by its key. Raises KeyError for an unknown one."""
    return METHODS[key]


def label_of(key: str) -> str:
    """Return a method's name; the key itself for one that is no longer there."""
    return str(METHODS[key].label) if key in METHODS else key


def short_of(key: str) -> str:
    """Return a method's name within a sentence; the key itself for one that is gone."""
    return str(METHODS[key].short) if key in METHODS else key


def choices() -> list[tuple[str, Any]]:
    """Return key and name of each method."""
    return [(key, method.label) for key, method in METHODS.items()]


def roles() -> dict[str, Any]:
    """Return the roles of models beside the judge that some method asks, with their words."""
    return {key: role.does for one in METHODS.values() for key, role in one.further_roles.items()}


def done_in(key: str, role: str) -> str:
    """Return what a call in a further role of a method did; "" for one of its judge."""
    roles = METHODS[key].further_roles if key in METHODS else {}
    return str(roles[role].did) if role in roles else ""


def with_example() -> list[str]:
    """Return the keys of the methods that show a scored example."""
    return [key for key, method in METHODS.items() if method.needs_example]


def only_for(form: str) -> list[str]:
    """Return the keys of the methods that judge this form of answer and no other."""
    return [key for key, method in METHODS.items() if method.forms == {form}]


def validate_key(key: str) -> None:
    """Validate a stored key. Raises ValidationError."""
    if key not in METHODS:
        raise ValidationError(
            _("There is no method “%(name)s”."), params={"name": key}, code="unknown_method"
        )


def skips() -> dict[str, Any]:
    """Return the words of all reasons why a task does not fit a method."""
    found = dict(_GENERAL_SKIPS)
    for method in METHODS.values():
        found.update(method.skips)
    return found


def faults() -> dict[str, Any]:
    """Return the words of all methods' own faults of a reply."""
    return {code: words for method in METHODS.values() for code, words in method.faults.items()}


def fences() -> dict[str, Any]:
    """Return the words for the parts of prompts that methods fence, by name in lower case."""
    return {name: words for method in METHODS.values() for name, words in method.fences.items()}


def answer_notes(tasks: Iterable[Task]) -> dict[int, str]:
    """Return what candidates are told about the form of their answers, by task."""
    rows = list(tasks)
    found: dict[int, str] = {}
    for method in METHODS.values():
        mine = [task.pk for task in rows if task.answer_form in method.forms]
        if mine:
            found |= method.answer_notes(mine)
    return found


def draft_plan(task: Task, text: TaskText, remarks: str = "") -> DraftPlan | None:
    """Return how the method for a task's form of answer drafts its rubric; None for the usual way.

    Args:
        remarks: what the author wants done differently.
    """
    for method in METHODS.values():
        if task.answer_form in method.forms:
            found = method.draft_plan(task, text, remarks)
            if found is not None:
                return found
    return None

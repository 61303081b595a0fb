"""Choose what an answer to a task looks like, with what this form demands."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.demands import (
    Demand,
    clear_demand,
    demand_of,
    write_demand,
)
from curation.tasks.task.exact_models import ExactAnswer, SolutionStep
from curation.tasks.task.models import AnswerForm, Task


def known_form(form: Any) -> str:
    """Return a form of answers; a text for "".

    Raises:
        BadInput: there is no such form.
    """
    if form not in ("", *AnswerForm.values):
        raise BadInput(fields={"answer_form": [_("Choose what an answer looks like.")]})
    return form or AnswerForm.TEXT.value


def begin_form(by: Any, task: Task, demand: Demand | None = None) -> None:
    """Write what the form of a new task needs beside its column.

    Raises:
        BadInput: something is wrong with the demand.
    """
    if task.answer_form == AnswerForm.EXACT:
        ExactAnswer.objects.get_or_create(task=task)
    if demand:
        _write(by, task, demand)


@action("task.write", about="task")
@transaction.atomic
def set_answer_form(
    *, actor: Any, task: Task, answer_form: str, demand: Demand | None = None
) -> Task:
    """Choose what an answer to a draft looks like.

    Args:
        demand: how many of what are asked for, of which pool; only what the form has. Empty where
            nothing is said; the demand there is goes. None leaves it.

    Raises:
        BadInput: no such form, or something is wrong with the demand; `fields` has all of it.
            `form_fixed`, the panel has had the task; `answer_written`, what is written does not
            fit the new form.
        Conflict: `wrong_stage`, the task is no draft.
    """
    form = known_form(answer_form)
    task.refresh_from_db(from_queryset=Task.objects.select_for_update())
    if task.stage != Stage.DRAFT:
        raise Conflict(
            _("This task was submitted, so the form of its answer can no longer be changed here."),
            code="wrong_stage",
            data={"stage": task.stage},
        )
    if form != task.answer_form:
        _change(task, form)
        begin_form(actor, task)
    if demand is not None:
        _write(actor, task, demand)
    return task


def _change(task: Task, form: str) -> None:
    if task.screening_round:
        _refuse(
            "form_fixed",
            _(
                "The form of the answer stays, because you have submitted this task to its panel. "
                "To ask for another form, start a new draft."
            ),
        )
    if form == AnswerForm.EXACT and not storable.is_blank(task.reference_answer):
        _refuse(
            "answer_written",
            _(
                "An exact answer is written on a page of its own. Empty the reference answer "
                "first; the earlier text is kept under “Earlier texts”."
            ),
        )
    if task.answer_form == AnswerForm.EXACT:
        exact = ExactAnswer.objects.select_for_update().filter(task=task).first()
        steps = SolutionStep.objects.filter(exact=exact)
        if exact is not None and (exact.answer or exact.alternatives or steps.exists()):
            _refuse(
                "answer_written",
                _("The task has an exact answer with its steps. Empty its page first."),
            )
        ExactAnswer.objects.filter(task=task).delete()
    clear_demand(task)
    if AnswerForm.EXACT in (form, task.answer_form):
        task.version += 1  # an editor that is open has a box for the reference answer, or lacks it
    task.answer_form = form
    task.save(update_fields=["answer_form", "version"])


def _refuse(code: str, sentence: str) -> None:
    raise BadInput(sentence, code=code, fields={"answer_form": [sentence]})


def _write(by: Any, task: Task, demand: Demand) -> None:
    """Store a demand; an empty one takes away what there is."""
    given = {name: value for name, value in demand.items() if value not in (None, "")}
    if given:
        write_demand(by, task, given)
    elif demand_of(task):
        clear_demand(task)

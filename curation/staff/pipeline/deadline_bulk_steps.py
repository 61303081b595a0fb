"""Steps on many tasks: remind whoever has them, give more time."""

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.base.lists.bulk import BulkStep
from curation.base.web.fields import set_numbers
from curation.staff.pipeline.deadline_in_hand import InHand, in_hand_by_task
from curation.staff.pipeline.deadlines import MOST_DAYS, extend_deadlines, remind_of
from curation.tasks.task.models import Task


class DaysForm(forms.Form):
    """How much more time people get."""

    days = forms.IntegerField(
        min_value=1, max_value=MOST_DAYS, initial=7, label=_("Days more"), required=True
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())


def load_tasks(keys: Collection[int]) -> Mapping[int, Task]:
    """Return tasks for a step, by key. One query."""
    rows = Task.objects.select_related("domain", "author", "rubric_author")
    return rows.in_bulk(list(keys))


def name_of_task(task: Task) -> str:
    """Return how a preview names a task."""
    return f"{task} · {task.get_stage_display()}"


def _load_with_work(keys: Collection[int]) -> Mapping[int, tuple[Task, list[InHand]]]:
    work = in_hand_by_task(keys)
    return {pk: (task, work[pk]) for pk, task in load_tasks(keys).items()}


def _named(thing: tuple[Task, list[InHand]]) -> str:
    return name_of_task(thing[0])


def _remind(*, actor: Any, thing: tuple[Task, list[InHand]]) -> None:
    task, work = thing
    remind_of(actor=actor, task=task, work=work)


def _extend(*, actor: Any, thing: tuple[Task, list[InHand]], days: int) -> None:
    task, work = thing
    extend_deadlines(actor=actor, task=task, days=days, work=work)


STEPS = (
    BulkStep(
        key="remind",
        label=_("Remind …"),
        text=_(
            "Everybody who has a task in hand, as its author, on its panel, as reviewer, senior or "
            "scorer, gets a notice: once a day for each piece of work."
        ),
        permission="staff.editing",
        load=_load_with_work,
        named=_named,
        run=_remind,
        button=lambda n: ngettext("Remind about %(n)s", "Remind about %(n)s", n) % {"n": n},
        done=lambda n: (
            ngettext("Reminded about %(n)s task.", "Reminded about %(n)s tasks.", n) % {"n": n}
        ),
    ),
    BulkStep(
        key="extend",
        label=_("Give more time …"),
        text=_(
            "Every open deadline on a task moves, and who has it is told. A deadline that has "
            "passed is counted from now."
        ),
        permission="staff.editing",
        load=_load_with_work,
        named=_named,
        run=_extend,
        form=DaysForm,
        asks_first=True,
        button=lambda n: (
            ngettext("Give more time for %(n)s", "Give more time for %(n)s", n) % {"n": n}
        ),
        done=lambda n: (
            ngettext(
                "More time for %(n)s task. Everybody concerned was told.",
                "More time for %(n)s tasks. Everybody concerned was told.",
                n,
            )
            % {"n": n}
        ),
    ),
)

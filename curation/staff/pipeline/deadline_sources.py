"""The work in hand that curation knows: returned prompts, rubrics, open places on panels."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial

from django.utils.translation import gettext_lazy as _

from curation.base.process.lifecycle import Stage
from curation.screening.panels.models import PanelPlace
from curation.staff.pipeline.deadline_in_hand import InHand, of_tasks
from curation.tasks.task.models import Task

_PAGES = {
    PanelPlace.Kind.VOTE: "screening-vote",
    PanelPlace.Kind.CHECK: "reference-check",
    PanelPlace.Kind.SOLVE: "solve",
}


def returned(tasks: Iterable[int] | None) -> Iterator[InHand]:
    """Yield the prompts that a panel returned to their authors. One query."""
    rows = Task.objects.filter(
        stage=Stage.DRAFT, screening_round__gt=0, author__is_active=True, domain__external=False
    )
    found = of_tasks(rows, tasks, "pk").values_list("pk", "title", "key", "stage_since", "author")
    for pk, title, key, since, author in found:
        yield InHand(
            key=f"returned-{pk}-{since:%Y%m%d}",
            what=_("Returned prompt to change"),
            task_id=pk,
            title=title or key,
            person_id=author,
            page="task-edit",
            page_id=pk,
            since=since,
        )


def rubrics(tasks: Iterable[int] | None) -> Iterator[InHand]:
    """Yield the rubrics that wait to be refined. One query."""
    rows = Task.objects.filter(stage=Stage.REFINING, domain__external=False)
    found = of_tasks(rows, tasks, "pk").values_list(
        *("pk", "title", "key", "stage_since"),
        *("rubric_author", "rubric_author__is_active", "author", "author__is_active"),
    )
    for pk, title, key, since, other, other_active, author, author_active in found:
        person, active = (other, other_active) if other else (author, author_active)
        if person and active:
            yield InHand(
                key=f"rubric-{pk}-{since:%Y%m%d}",
                what=_("Rubric to refine"),
                task_id=pk,
                title=title or key,
                person_id=person,
                page="rubric",
                page_id=pk,
                since=since,
            )


def places(tasks: Iterable[int] | None) -> Iterator[InHand]:
    """Yield the open places on panels. One query."""
    rows = PanelPlace.objects.filter(state=PanelPlace.State.OPEN, member__is_active=True)
    found = of_tasks(rows, tasks).values_list(
        *("pk", "kind", "member", "given_at", "due_at", "task", "task__title", "task__key")
    )
    for pk, kind, member, given_at, due_at, task, title, key in found:
        yield InHand(
            key=f"place-{pk}",
            what=PanelPlace.Kind(kind).label,
            task_id=task,
            title=title or key,
            person_id=member,
            page=_PAGES[PanelPlace.Kind(kind)],
            page_id=task,
            since=given_at,
            due_at=due_at,
            extend=partial(_extend_place, pk, due_at),
        )


def _extend_place(pk: int, before: datetime, due_at: datetime) -> bool:
    open_place = PanelPlace.objects.filter(pk=pk, state=PanelPlace.State.OPEN, due_at=before)
    return bool(open_place.update(due_at=due_at))

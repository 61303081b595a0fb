"""Queries about tasks: lists without the long texts, slots, the five-step track."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.access.duties import Duty
from curation.base.access.permissions import Fact, allows, has_duty, is_staff, refusal_of, signed_in
from curation.base.process.lifecycle import TASK, Stage
from curation.base.web.refusals import Denied, NotFound
from curation.joining.domains.models import Domain
from curation.joining.people import conflicts_of
from curation.tasks.task.correction_events import amended
from curation.tasks.task.models import Slot, Task, TaskEvent


def refuse_author(user: Any, task: Any) -> None:
    """Refuse a member of staff who acts on a task they wrote themselves.

    Raises:
        Denied: `own_task`.
    """
    if user.pk is not None and user.pk in (task.author_id, task.rubric_author_id):
        raise Denied(
            _("You wrote this task yourself, so another member of staff decides on it."),
            code="own_task",
        )


# --- facts about a person and a task, for the table of permissions -----------------------------
def is_its_author(user: Any, task: Any) -> bool:
    return signed_in(user, None) and task.author_id == user.pk


def is_collected(user: Any, task: Any) -> bool:
    """Return whether the task came from business and so has no author."""
    return bool(task.collected)


def writes_it_for_its_owner(user: Any, task: Any) -> bool:
    """Return whether the person edits tasks as staff and the task came from business."""
    return has_duty(Duty.EDITING)(user, task) and bool(task.collected)


def is_not_a_draft(user: Any, task: Any) -> bool:
    """Return whether the task has left its author: a returned draft is the author's alone again."""
    return bool(task.stage != Stage.DRAFT)


def is_not_its_author(user: Any, task: Any) -> bool:
    """Return whether the person wrote neither the task nor its rubric."""
    return user.pk not in (task.author_id, task.rubric_author_id)


def writes_its_rubric(user: Any, task: Any) -> bool:
    """Return whether the rubric is the person's: as its author, or because they took it over."""
    return signed_in(user, None) and task.rubric_author_pk == user.pk


def kept_off(task: Any) -> set[int]:
    """Return the ids of everybody in conflict with the author of a task or of its rubric.

    Two queries; none for an imported task.
    """
    found = conflicts_of([p for p in (task.author, task.rubric_author) if p is not None])
    return set().union(*found.values())


def seat_role(user: Any, task: Any) -> str | None:
    """Return the role of the person's seat on the task; None without one.

    Read once per task object.
    """
    if not signed_in(user, None):
        return None
    known = task.__dict__.setdefault("_seat_roles", {})
    if user.pk not in known:
        known[user.pk] = task.seats.filter(user_id=user.pk).values_list("role", flat=True).first()
    return known[user.pk]


def has_no_seat_on_it(user: Any, task: Any) -> bool:
    return seat_role(user, task) is None


def holds_seat(role: str) -> Fact:
    """Return the fact that a person holds this seat on the task."""

    def fact(user: Any, task: Any) -> bool:
        return seat_role(user, task) == role

    fact.__name__ = f"holds_the_seat_of_{role}"
    return fact


# --- loading with authority ---------------------------------------------------------------------
def access_task(user: Any, pk: int, permission: str, *, rows: Any = None) -> Any:
    """Load a task and authorise the person; a hidden task looks like a missing one.

    Args:
        rows: a queryset to load from (to select or defer); by default all tasks, with their
            domain and category.

    Raises:
        NotFound: no such task, or the person may not even see it.
        Denied: the person may see it, but not do this.
    """
    if rows is None:
        rows = Task.objects.select_related("domain", "category")
    task = rows.filter(pk=pk).first()
    if task is not None and allows(user, permission, task):
        return task
    if task is None or permission == "task.view" or not allows(user, "task.view", task):
        raise NotFound()
    if is_staff(user, task):
        refuse_author(user, task)
    raise refusal_of(user, permission, task)


# --- facts that ask the table of permissions itself ---------------------------------------------
def may_view_the_task(user: Any, task: Any) -> bool:
    return allows(user, "task.view", task)


S = Stage
ROW = (
    "id",
    "key",
    "title",
    "stage",
    "stage_since",
    "updated_at",
    "screening_round",
    "domain__name",
    "domain__name_zh",
    "slot__number",
    "rubric_author_id",
)


@dataclass(frozen=True)
class Step:
    """One of the five steps of a track."""

    label: str
    state: str = ""


@dataclass(frozen=True)
class TaskStatus:
    """Where a task stands, for its author.

    Attributes:
        who: a sentence that names the holder.
        tone: "wait" if the author has to act.
        text: what happens at this stage.
        steps: the five-step track.
    """

    who: str
    tone: str
    text: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class SlotView:
    """A slot of a person: free, or used by a task. `next` marks the one a submission takes."""

    number: int
    task: dict[str, Any] | None = None
    status: TaskStatus | None = None
    next: bool = False


def tasks_of(user: Any, *, can_submit: bool = True) -> list[dict[str, Any]]:
    """Return a person's own tasks with their status, newest first. Two queries.

    Args:
        can_submit: False if no slot is free for a draft that has none yet.
    """
    rows = [
        {**row, "domain": domain_name(row)}
        for row in Task.objects.filter(author=user).order_by("-updated_at", "-id").values(*ROW)
    ]
    last = last_moves(row["id"] for row in rows)
    return [
        {
            **row,
            "stage_label": S(row["stage"]).label,
            "status": task_status(row, last.get(row["id"]), can_submit=can_submit),
        }
        for row in rows
    ]


def domain_name(row: Mapping[str, Any], prefix: str = "domain__") -> str:
    """Return a domain's name in the reader's language, from a row of values."""
    return str(Domain(name=row[f"{prefix}name"], name_zh=row[f"{prefix}name_zh"] or ""))


def last_moves(task_ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Return the latest move of each task: from_stage, to_stage, data. One query."""
    rows = (
        TaskEvent.objects.filter(task_id__in=list(task_ids))
        .exclude(data__has_key="event")
        .order_by("id")
        .values("task_id", "from_stage", "to_stage", "data")
    )
    return {row["task_id"]: dict(row) for row in rows}


def slots_of(user: Any, *, limit: int | None = None) -> list[SlotView]:
    """Return every slot of a person, taken or free, in order. Two queries, and one for the limit.

    Args:
        limit: how many slots they have, if known already.
    """
    limit = slot_limit(user) if limit is None else limit
    taken: dict[int, dict[str, Any]] = {
        row["number"]: {
            **{k.removeprefix("task__"): v for k, v in row.items()},
            "domain": domain_name(row, "task__domain__"),
        }
        for row in Slot.objects.filter(expert=user).values(
            "number",
            "task__id",
            "task__key",
            "task__title",
            "task__stage",
            "task__stage_since",
            "task__screening_round",
            "task__rubric_author_id",
            "task__domain__name",
            "task__domain__name_zh",
        )
    }
    last = last_moves(row["id"] for row in taken.values()) if taken else {}
    free = next((n for n in range(1, limit + 1) if n not in taken), None)
    return [
        SlotView(n, taken[n], task_status(taken[n], last.get(taken[n]["id"])))
        if n in taken
        else SlotView(n, next=n == free)
        for n in range(1, max([limit, *taken]) + 1)
        if n in taken or n <= limit
    ]


def slot_number(task: Any) -> int | None:
    """Return the number of a task's slot; None before its first submission. One query."""
    return Slot.objects.filter(task_id=task.pk).values_list("number", flat=True).first()


def next_slot(slots: list[SlotView], task_id: int) -> int | None:
    """Return the slot a submission of this task would use; None if others take all of them."""
    held = next((s.number for s in slots if s.task and s.task["id"] == task_id), None)
    return held or next((s.number for s in slots if s.task is None), None)


def holds_slot(slots: list[SlotView], task_id: int) -> bool:
    """Return whether this task has one of these slots already, as a returned task has."""
    return any(slot.task and slot.task["id"] == task_id for slot in slots)


# --- the track ---------------------------------------------------------------------------
def track(stage: str, came_from: str = "") -> tuple[Step, ...]:
    """Return the five steps, with the current one marked.

    Args:
        came_from: the previous stage; it says where a withdrawn task stopped.
    """
    labels = (_("Written"), _("Screened"), _("Rubric"), _("Reviewed"), _("Approved"))
    stages = TASK.stages
    at = stages[(came_from or S.DRAFT) if stage == S.WITHDRAWN else stage].step
    now = "stopped" if stages[stage].stopped else "now"
    return tuple(
        Step(label, "done" if n < at else now if n == at else "") for n, label in enumerate(labels)
    )


def task_status(
    row: dict[str, Any], move: dict[str, Any] | None, *, can_submit: bool = True
) -> TaskStatus:
    """Return who holds a task and what happens there, worded for its author.

    Args:
        row: stage, screening_round, domain (a name) and rubric_author_id.
        move: the task's latest move, or None.
        can_submit: False if no slot is free for a draft that has none yet.
    """
    came_from = move["from_stage"] if move else ""
    if row["stage"] == S.DRAFT and not row["screening_round"] and not can_submit:
        text = _("All your slots are used, so it cannot be submitted. Staff can grant another.")
        return TaskStatus(_("With you."), "wait", text, track(row["stage"], came_from))
    who, tone, text = _holder(row, came_from, (move or {}).get("data") or {})
    return TaskStatus(who, tone, text, track(row["stage"], came_from))


def _holder(row: dict[str, Any], came_from: str, data: dict[str, Any]) -> tuple[str, str, str]:
    stage, spec = row["stage"], TASK.stages[row["stage"]]
    who = str(spec.holder) % {"domain": row["domain"]}
    if stage == S.DRAFT and row["screening_round"]:
        return who, "wait", _("The panel returned it with its reasons.")
    if stage == S.REFINING and row["rubric_author_id"]:
        taken_over = _("They finish the rubric and answer its review; you can read it.")
        return _("With another expert of the domain."), "", taken_over
    if stage == S.REFINING:
        return who, "wait", _asked(came_from, data) or str(spec.outlook)
    return who, "", str(spec.outlook)


def _asked(came_from: str, data: dict[str, Any]) -> str:
    """Word what the author of a returned rubric has to do; empty for a first draft."""
    if amended(data):
        return _("The text was amended: go through the rubric with it.")
    if came_from == S.IN_REVIEW:
        n = int(data.get("requested", 0) or 0)
        return ngettext(
            "The review asks for a change on %(n)s line.",
            "The review asks for changes on %(n)s lines.",
            n,
        ) % {"n": n}
    asked: dict[str, str] = {
        S.DECIDING: _("Staff gave it one more round, with a reason."),
        S.SPOT_CHECK: _("A senior sent it back with remarks."),
        S.APPROVED: _("Staff reopened it, with a reason."),
    }
    return asked.get(came_from, "")


def slot_limit(expert: Any) -> int:
    """Return how many prompts an expert may submit: the policy plus what staff granted."""
    return settings.PROMPTS_PER_EXPERT + expert.slot_grants.count()


@dataclass(frozen=True)
class BlindTask:
    """A task for people who must not learn who wrote it: it has no author."""

    pk: int
    title: str
    domain: str
    category: str
    language: str
    minutes: int | None
    stage: str
    screening_round: int
    scenario: str
    materials: str
    requirements: str
    reference_answer: str


def blind_task(task: Task) -> BlindTask:
    """Return the task as people see it who must not learn who wrote it."""
    return BlindTask(
        pk=task.pk,
        title=task.title,
        domain=str(task.domain),
        category=str(task.category) if task.category else "",
        language=task.language,
        minutes=task.minutes,
        stage=task.stage,
        screening_round=task.screening_round,
        scenario=task.scenario,
        materials=task.materials,
        requirements=task.requirements,
        reference_answer=task.reference_answer,
    )

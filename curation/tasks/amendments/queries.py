"""Amendments as pages list them, and what a senior reads before deciding."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation.base.access.permissions import allows
from curation.base.process.roles import Role
from curation.base.text.comparisons import Stretch, stretches
from curation.base.text.wording import listed
from curation.base.web.refusals import NotFound
from curation.joining.people import cached_conflicts_of
from curation.tasks.amendments.models import Amendment
from curation.tasks.task.fields import PARTS, label_of
from curation.tasks.task.models import Seat
from curation.tasks.task.queries import (
    is_its_author,
    is_not_its_author,
    kept_off,
    may_view_the_task,
    seat_role,
    writes_its_rubric,
)
from curation.tasks.task.text_basis import PROMPT_PARTS

# A senior who holds one of these seats has read the task as a senior, and may decide as well.
SENIOR_SEATS = (Role.ADVISER, Role.AMENDMENT_DECIDER, Role.DECIDER, Role.SPOT_CHECKER)


# --- facts about a person and an amendment --------------------------------------------------------
def proposed_it(user: Any, amendment: Any) -> bool:
    return bool(user.pk and amendment.proposed_by_id == user.pk)


def did_not_propose_it(user: Any, amendment: Any) -> bool:
    return not proposed_it(user, amendment)


def wrote_its_task(user: Any, amendment: Any) -> bool:
    return is_its_author(user, amendment.task) or writes_its_rubric(user, amendment.task)


def did_not_write_its_task(user: Any, amendment: Any) -> bool:
    return is_not_its_author(user, amendment.task)


def has_no_other_seat_on_its_task(user: Any, amendment: Any) -> bool:
    return seat_role(user, amendment.task) in (None, *SENIOR_SEATS)


def has_no_conflict_with_its_author(user: Any, amendment: Any) -> bool:
    return user.pk not in kept_off(amendment.task)


def is_in_force(user: Any, amendment: Any) -> bool:
    return bool(amendment.state == Amendment.State.AGREED)


def may_read_its_task(user: Any, amendment: Any) -> bool:
    return may_view_the_task(user, amendment.task)


def decided_it(user: Any, amendment: Any) -> bool:
    return bool(user.pk and amendment.decided_by_id == user.pk)


def may_decide_its_amendment(user: Any, task: Any) -> bool:
    """Return whether an amendment of the task waits for this senior, who has to read its files."""
    waiting = Amendment.objects.filter(task=task, state=Amendment.State.PROPOSED)
    return any(allows(user, "amendment.decide", amendment) for amendment in waiting)


def access_amendment(user: Any, pk: int, permission: str = "amendment.view") -> Amendment:
    """Return an amendment for which the person has the permission.

    Raises:
        NotFound: no such amendment, or the person lacks the permission.
    """
    rows = Amendment.objects.select_related("task__domain", "task__category", "task__author")
    amendment = rows.filter(pk=pk).first()
    if amendment is None or not allows(user, permission, amendment):
        raise NotFound()
    return amendment


State = Amendment.State


@dataclass(frozen=True, slots=True)
class AmendmentRow:
    """An amendment as a row of the list; nobody is named but by role."""

    pk: int
    title: str
    language: str
    domain: str
    parts: str
    reason: str
    by_staff: bool
    state: str
    state_label: str
    at: datetime
    mine: bool  # the reader proposed it


@dataclass(frozen=True, slots=True)
class Difference:
    """One part of the text as it is and as it would be."""

    name: str
    label: str
    before: str
    after: str
    prompt: bool  # a part that candidates are told

    @property
    def stretches(self) -> list[Stretch]:
        """The part in stretches, long unchanged ones folded."""
        return stretches(self.before, self.after)


def amendments_for(user: Any, *, state: str = "") -> "QuerySet[Amendment]":
    """Select the amendments a person sees in the list, the newest first.

    Staff see those of all tasks but their own. Seniors see what they may decide, and what they
    decided.
    """
    rows = Amendment.objects.select_related("task__domain").defer(
        "before", "task__scenario", "task__materials", "task__requirements",
        "task__reference_answer",
    )  # fmt: skip
    shown = Q(pk__in=to_decide(user).values("pk")) | Q(decided_by=user)
    if user.is_staff:
        shown |= ~Q(task__author=user) & ~Q(task__rubric_author=user)
    rows = rows.filter(shown)
    return rows.filter(state=state) if state else rows


def to_decide(user: Any) -> "QuerySet[Amendment]":
    """Select the open amendments that a person may decide, in agreement with the permission."""
    other_seat = Seat.objects.filter(task=OuterRef("task"), user=user).exclude(
        role__in=SENIOR_SEATS
    )
    return (
        Amendment.objects.filter(
            ~Exists(other_seat),
            state=State.PROPOSED,
            task__domain__in=user.senior_domain_ids(),
        )
        .exclude(proposed_by=user)
        .exclude(task__author__in=cached_conflicts_of(user) | {user.pk})
        .exclude(task__rubric_author__in=cached_conflicts_of(user) | {user.pk})
    )


def rows_of(amendments: Collection[Amendment], reader: Any) -> list[AmendmentRow]:
    """Return the rows of one page. No query."""
    return [
        AmendmentRow(
            pk=one.pk,
            title=one.task.title or one.task.key,
            language=one.task.language,
            domain=str(one.task.domain),
            parts=listed([label_of(name, one.task) for name in PARTS if name in one.after]),
            reason=one.reason,
            by_staff=one.by_staff,
            state=one.state,
            state_label=one.get_state_display(),
            at=one.at,
            mine=one.proposed_by_id == reader.pk,
        )
        for one in amendments
    ]


def differences(
    before: Mapping[str, str], after: Mapping[str, str], task: Any = None
) -> list[Difference]:
    """Return the parts that differ, in the order of the task."""
    return [
        Difference(
            name, label_of(name, task), before.get(name, ""), after[name], name in PROMPT_PARTS
        )
        for name in PARTS
        if name in after and after[name] != before.get(name, "")
    ]


def amendments_of(task: Any) -> list[Amendment]:
    """Return a task's amendments, the newest first, without the texts. One query."""
    return list(Amendment.objects.filter(task=task).defer("before", "after"))

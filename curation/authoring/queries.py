"""Tasks as their authors see them."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation.panels.models import PanelPlace, ScreeningVote
from curation.process.roles import Role
from curation.tasks.models import Seat, Task
from curation.tasks.queries import S


# --- lists ---------------------------------------------------------------------------
def visible_to(user: Any) -> QuerySet[Task]:
    """The tasks whose own page a person may see, as `task.view` says: all for staff, else their own
    and those with a seat. Not what waits on the pages of the panel: for a checker, for a screener
    who has not opened it there, and a returned draft.
    """
    if user.is_staff:
        return Task.objects.all()
    own = Task.objects.filter(author=user).order_by().values("pk")
    unopened = PanelPlace.objects.filter(
        task=OuterRef("task"), member=user, state=PanelPlace.State.OPEN, opened_at__isnull=True
    )
    seats = (
        Seat.objects.filter(user=user)
        .exclude(role=Role.CHECKER)
        .exclude(Q(role=Role.SCREENER) & (Q(task__stage=S.DRAFT) | Exists(unopened)))
        .order_by()
        .values("task_id")
    )
    return Task.objects.filter(pk__in=own.union(seats))  # an OR would read the whole table


# --- the record ---------------------------------------------------------------------------
def record_of(user: Any) -> dict[str, QuerySet[Any]]:
    """What a person has done with tasks, as rows to be counted."""
    own = Task.objects.filter(author=user)
    return {
        "approved": own.filter(stage=S.APPROVED),
        "submitted": own.filter(screening_round__gt=0),
        "screened": ScreeningVote.objects.filter(member=user),
        "slots_granted": user.slot_grants.all(),
    }

"""The two solves of a screening: opened with it, given to solvers, given again, and awaited."""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from curation.base.process.roles import Role
from curation.joining.people import User
from curation.screening.panels.models import PanelPlace, Solve
from curation.tasks.task.fields import answers_exactly
from curation.tasks.task.models import Seat, Task

SOLVERS = 2


def open_solves(task: Task) -> None:
    """Open the two solves of a screening, for a task with an exact answer. Idempotent."""
    if answers_exactly(task):
        for number in range(1, SOLVERS + 1):
            Solve.objects.get_or_create(task_id=task.pk, round=task.screening_round, number=number)


def solves_of(task: Any) -> QuerySet[Solve]:
    """Return the solves of a task's current screening, in order."""
    return Solve.objects.filter(task_id=task.pk, round=task.screening_round).order_by("number")


def free_solves(task: Any) -> QuerySet[Solve]:
    """Return the solves of the current screening that wait for a solver, in order."""
    return solves_of(task).filter(solver__isnull=True)


def awaits_solvers(task: Any) -> bool:
    """Return whether a solve of the current screening has no verdict yet. One query."""
    return solves_of(task).filter(verdict="").exists()


def has_free_solve() -> Exists:
    """Return a condition on tasks: a solve of the current screening waits for a solver."""
    return Exists(
        Solve.objects.filter(
            task=OuterRef("pk"), round=OuterRef("screening_round"), solver__isnull=True
        )
    )


def solved_before(task: Any) -> QuerySet[User]:
    """Return those who hold the seat of a solver from an earlier place on the task.

    They may know its answer. Staff can ask them again where nobody else is left; they then verify.
    """
    held = Seat.objects.filter(task_id=task.pk, role=Role.SOLVER)
    return User.objects.filter(pk__in=held.values("user_id"))


def give_solve(task: Any, member: Any, *, knows: bool) -> Solve:
    """Give a free solve to a member. The caller has locked the task and found that one is free.

    Args:
        knows: whether the member may know the steps, so that this is a verification.
    """
    solve = free_solves(task).select_for_update(of=("self",))[0]
    solve.solver = member
    solve.looked_at = timezone.now() if knows else None
    solve.save(update_fields=["solver", "looked_at"])
    return solve


def reset_solve(task: Any, place: PanelPlace) -> None:
    """Free the solve of a place that was handed back or expired; an answer stays with the place."""
    solve = solves_of(task).filter(solver=place.member_id).first()
    if solve is None:
        return
    PanelPlace.objects.filter(pk=place.pk).update(left_behind=solve.answer)
    Solve.objects.filter(pk=solve.pk).update(
        **dict.fromkeys(("solver", "started_at", "looked_at", "ended_at", "seconds", "agrees")),
        answer="",
    )

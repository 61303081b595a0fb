"""Actions of a solver: open the question, hand in an answer or look at the steps, then compare.

The server's clock counts, from opening to handing in, without pauses.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.text.short_answers import Comparison, Expected, compare, says_something
from curation.base.web.refusals import BadInput, Conflict
from curation.screening.panels.actions import Kind, State, lock_task, places_of
from curation.screening.panels.models import Solve
from curation.screening.panels.seats import open_place, refuse_in_conflict, release_places
from curation.screening.panels.solves import solves_of
from curation.screening.panels.voting_actions import decide_if_complete
from curation.tasks.task.exact_queries import expected_of
from curation.tasks.task.models import Task

Verdict = Solve.Verdict
MARK = timedelta(minutes=15)  # after it a solver may look at the steps
ANSWER_LIMIT, REMARKS_LIMIT = 200, 5000


@action("task.solve", about="task")
@transaction.atomic
def begin_solve(*, actor: Any, task: Task) -> None:
    """Note that the solver has opened the question; the time starts here, once.

    Whoever may know the steps from an earlier submission sees them at once: this verifies.
    """
    open_place(actor=actor, task=task)
    mine = solves_of(task).filter(solver=actor, started_at__isnull=True)
    now = timezone.now()
    mine.filter(looked_at__isnull=False).update(started_at=now, ended_at=now, seconds=0)
    mine.update(started_at=now)


def _mine(actor: Any, task: Task) -> tuple[Task, Solve]:
    """Lock the task and return it with the person's solve, if their place is open.

    Raises:
        Conflict: `wrong_stage` or `place_ended`, the place is not open (any more).
    """
    task = lock_task(task.pk)
    if task.stage != Stage.SCREENING:
        raise Conflict(
            _("The panel has decided already, so this is no longer needed. Thank you."),
            code="wrong_stage",
        )
    place = places_of(task).filter(member=actor, kind=Kind.SOLVE, state=State.OPEN)
    solve = solves_of(task).select_for_update(of=("self",)).filter(solver=actor).first()
    if solve is None or not place.exists():
        raise Conflict(_("Your place has ended, so this was not counted."), code="place_ended")
    return task, solve


@action("task.solve", about="task")
def hand_in(*, actor: Any, task: Task, answer: str) -> Solve:
    """Hand in the solver's own answer, and store the time it took. It stays as it is.

    From here the solver sees the author's answer and steps.

    Raises:
        BadInput: there is no answer, or it cannot be stored.
        Conflict: `answered`, it was handed in already; or the place has ended.
    """
    problem = storable.problem_with(answer, limit=ANSWER_LIMIT)
    if problem or not says_something(answer):
        raise BadInput(
            fields={"answer": [problem or _("Write your answer: a few words or one number.")]}
        )
    refuse_in_conflict(actor=actor, task=task, kind=Kind.SOLVE)
    return _end(actor, task, answer=storable.one_line(answer).strip())


@action("task.solve", about="task")
def look_at_steps(*, actor: Any, task: Task) -> Solve:
    """Look at the author's answer and steps without an own answer: from here this verifies.

    Raises:
        Conflict: `too_early`, before the mark; `answered`, the solve has ended already; or the
            place has ended.
    """
    refuse_in_conflict(actor=actor, task=task, kind=Kind.SOLVE)
    return _end(actor, task, answer="")


@transaction.atomic
def _end(actor: Any, task: Task, *, answer: str) -> Solve:
    task, solve = _mine(actor, task)
    if solve.ended_at is not None:
        raise Conflict(_("Your answer is handed in and can no longer be changed."), code="answered")
    now = timezone.now()
    began = solve.started_at or now
    if not answer:
        if now < began + MARK:
            raise Conflict(
                _("You can look at the steps fifteen minutes after opening. Try until then."),
                code="too_early",
            )
        solve.looked_at = now
    else:
        solve.agrees = _agrees(
            answer, expected_of(Task.objects.only("answer_form").get(pk=task.pk))
        )
    solve.answer, solve.started_at, solve.ended_at = answer, began, now
    solve.seconds = _seconds(began, now)
    solve.save()
    return solve


def _agrees(answer: str, expected: Expected | None) -> bool | None:
    """Return whether two answers certainly say the same; None where the rules do not tell."""
    told = compare(answer, expected) if expected else Comparison.ASK
    return None if told is Comparison.ASK else told is Comparison.RIGHT


def _seconds(began: datetime, ended: datetime) -> int:
    return max(0, round((ended - began).total_seconds()))


@action("task.solve", about="task")
def decide_solve(*, actor: Any, task: Task, verdict: str, remarks: str) -> Solve:
    """Say whether the author's answer is right and the only one, with the reason.

    When both solvers have found it right, the panel decides. When one of them has not, and no
    other solver is at work, the task goes back to its author with what the solvers wrote.

    Raises:
        BadInput: no verdict or no remarks.
        Conflict: `not_answered`, nothing was handed in yet; or the place has ended.
    """
    problems: dict[str, list[str]] = {}
    if verdict not in Verdict.values:
        problems["verdict"] = [_("Choose: right, wrong or unclear.")]
    problem = storable.problem_with(remarks, limit=REMARKS_LIMIT)
    if problem or storable.is_blank(remarks):
        problems["remarks"] = [problem or _("Say how you know, or what is unclear.")]
    if problems:
        raise BadInput(fields=problems)
    refuse_in_conflict(actor=actor, task=task, kind=Kind.SOLVE)
    return _conclude(actor, task, verdict, storable.clean(remarks))


@transaction.atomic
def _conclude(actor: Any, task: Task, verdict: str, remarks: str) -> Solve:
    task, solve = _mine(actor, task)
    if solve.ended_at is None:
        raise Conflict(_("Hand in your own answer first; then compare."), code="not_answered")
    solve.verdict, solve.remarks, solve.decided_at = verdict, remarks, timezone.now()
    solve.save(update_fields=["verdict", "remarks", "decided_at"])
    mine = places_of(task).filter(member=actor, kind=Kind.SOLVE)
    move(mine, State.VOTED, closed_at=solve.decided_at)
    right = verdict == Verdict.RIGHT
    task.note(
        "solve_right" if right else "solve_doubted",
        actor=actor,
        seconds=solve.seconds,
        unaided=solve.unaided,
    )
    settle_solves(task)
    return solve


def settle_solves(task: Task) -> None:
    """Go on where both solvers agree with the answer; send the task back where one does not.

    The caller has locked the task. While another solver is at work, nothing happens.
    """
    solves = list(solves_of(task))
    decided = [solve for solve in solves if solve.verdict]
    at_work = [solve for solve in solves if solve.solver_id and not solve.verdict]
    doubts = [solve for solve in decided if solve.verdict != Verdict.RIGHT]
    if not doubts:
        decide_if_complete(task, None)  # waits while a solve is open
    elif not at_work:
        release_places(task)
        task.advance(
            Stage.DRAFT,
            actor=None,
            reason="\n\n".join(solve.remarks for solve in doubts),
            cause="solvers",
            doubts=len(doubts),
            solvers=len(decided),
        )

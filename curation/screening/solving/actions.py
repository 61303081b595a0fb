"""A second opinion: an expert answers a task before seeing its author's answer, then compares.

There are two kinds: a second expert checks the reference answer of a suspect task, and two solve
a question with an exact answer. The server's clock counts, from opening to handing in.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.signals import place_left
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.text.short_answers import Comparison, compare, says_something
from curation.base.web.refusals import BadInput, Conflict, Stale
from curation.screening.panels.actions import State, lock_task, places_of
from curation.screening.panels.models import PanelPlace, ReferenceCheck, Solve
from curation.screening.panels.seats import open_place, refuse_in_conflict, release_places
from curation.screening.panels.solves import solves_of
from curation.screening.panels.voting_actions import decide_if_complete
from curation.tasks.task.exact_queries import expected_of
from curation.tasks.task.models import Task

MARK = timedelta(minutes=15)  # after it a solver may look at the steps
ANSWER_LIMIT, REMARKS_LIMIT = 200, 5000


@dataclass(frozen=True, eq=False)  # a hash of lazy sentences would change with the language
class OpinionKind:
    """One of the two kinds.

    Attributes:
        kind: of the place on the panel.
        person, opened, ended: the columns with who it is, when they opened the task, and when they
            handed in their own answer.
        choose, explain: said where the verdict or the remarks are missing.
    """

    kind: str
    model: Any
    person: str
    opened: str
    ended: str
    choose: Any
    explain: Any

    def mine(self, actor: Any, task: Any, round_: int | None = None) -> QuerySet[Any]:
        """Return the person's row in a screening of the task, by default the current one."""
        number = task.screening_round if round_ is None else round_
        return self.model.objects.filter(  # type: ignore[no-any-return]
            task_id=task.pk, round=number, **{self.person: actor}
        )

    def lock(self, actor: Any, task: Task) -> tuple[Task, Any]:
        """Lock the task and the person's row and return them, if their place is open.

        Raises:
            Conflict: `wrong_stage` or `place_ended`, the place is not open (any more).
        """
        task = lock_task(task.pk)
        if task.stage != Stage.SCREENING:
            raise Conflict(
                _("The panel has decided already, so this is no longer needed. Thank you."),
                code="wrong_stage",
            )
        place = places_of(task).filter(member=actor, kind=self.kind, state=State.OPEN)
        row = self.mine(actor, task).select_for_update(of=("self",)).first()
        if row is None or not place.exists():
            raise Conflict(
                _("Your place has ended, so this was not counted. What you had saved is kept."),
                code="place_ended",
            )
        return task, row

    def end(self, row: Any) -> None:
        """Note that the own answer is in, and the time it took."""
        now = timezone.now()
        began = getattr(row, self.opened) or now
        setattr(row, self.opened, began)
        setattr(row, self.ended, now)
        row.seconds = max(0, round((now - began).total_seconds()))
        row.save()

    def conclude(self, actor: Any, task: Task, verdict: str, remarks: str) -> tuple[Task, Any]:
        """Store what the person found after comparing, and close their place.

        Raises:
            Conflict: `not_answered`, the own answer is not handed in yet; or the place has ended.
        """
        task, row = self.lock(actor, task)
        if getattr(row, self.ended) is None:
            raise Conflict(_("Hand in your own answer first; then compare."), code="not_answered")
        row.verdict, row.remarks, row.decided_at = verdict, remarks, timezone.now()
        row.save(update_fields=["verdict", "remarks", "decided_at"])
        mine = places_of(task).filter(member=actor, kind=self.kind)
        move(mine, State.VOTED, closed_at=row.decided_at)
        return task, row


CHECK = OpinionKind(
    PanelPlace.Kind.CHECK,
    ReferenceCheck,
    *("checker", "opened_at", "answered_at"),
    gettext_lazy("Choose: the reference answer is right, or it has a fault."),
    gettext_lazy("Say where the two answers agree or differ."),
)
SOLVE = OpinionKind(
    PanelPlace.Kind.SOLVE,
    Solve,
    *("solver", "started_at", "ended_at"),
    gettext_lazy("Choose: right, wrong or unclear."),
    gettext_lazy("Say how you know, or what is unclear."),
)


def finding(kind: OpinionKind, verdict: str, remarks: str) -> str:
    """Return the remarks as they are stored. Raises BadInput without a verdict or remarks."""
    problems: dict[str, list[Any]] = {}
    if verdict not in kind.model.Verdict.values:
        problems["verdict"] = [kind.choose]
    problem = storable.problem_with(remarks, limit=REMARKS_LIMIT)
    if problem or storable.is_blank(remarks):
        problems["remarks"] = [problem or kind.explain]
    if problems:
        raise BadInput(fields=problems)
    return storable.clean(remarks)


def _refuse_second_answer(row: Any, ended: Any, answer: str) -> None:
    if ended is not None:
        raise Conflict(
            _("Your answer is handed in and can no longer be changed."),
            code="answered",
            data={"yours": {"answer": answer}},
        )


# --- a check of the reference answer --------------------------------------------------------------
@action("task.check", about="task")
def begin_check(*, actor: Any, task: Task) -> None:
    """Note that the checker has opened the task; the time of their own answer starts here, once."""
    open_place(actor=actor, task=task)
    CHECK.mine(actor, task).filter(opened_at__isnull=True).update(opened_at=timezone.now())


@action("task.check", about="task")
@transaction.atomic
def save_own_answer(*, actor: Any, task: Task, answer: str, revision: int) -> ReferenceCheck:
    """Save the checker's own answer while they write it.

    Args:
        revision: the revision when the page was opened; a save on an older one is refused.

    Raises:
        BadInput: the text cannot be stored.
        Stale: with both texts, if another tab saved first.
        Conflict: `answered`, it was handed in already; or the place has ended.
    """
    problem = storable.problem_with(answer)
    if problem:
        raise BadInput(fields={"answer": [problem]})
    check: ReferenceCheck
    _task, check = CHECK.lock(actor, task)
    answer = answer.replace("\r\n", "\n").replace("\r", "\n")
    _refuse_second_answer(check, check.answered_at, answer)
    if check.answer == answer:
        return check
    if check.revision != revision:
        raise Stale(
            data={
                "yours": {"answer": answer},
                "theirs": {"answer": check.answer},
                "version": check.revision,
                "at": check.saved_at.isoformat() if check.saved_at else "",
            }
        )
    check.answer, check.saved_at = answer, timezone.now()
    check.revision += 1
    check.opened_at = check.opened_at or check.saved_at
    check.save(update_fields=["answer", "saved_at", "revision", "opened_at"])
    return check


@action("task.check", about="task")
def hand_in_answer(*, actor: Any, task: Task, answer: str, revision: int) -> ReferenceCheck:
    """Hand in the checker's own answer, and store the time it took. It cannot be changed any more.

    From here the checker sees the reference answer.

    Raises:
        BadInput: there is no answer, or it cannot be stored.
        Stale, Conflict: as `save_own_answer`.
    """
    if storable.is_blank(answer):
        raise BadInput(
            fields={"answer": [_("Write your own answer first. Key points are enough.")]}
        )
    refuse_in_conflict(actor=actor, task=task, kind=CHECK.kind)
    with transaction.atomic():
        check: ReferenceCheck = save_own_answer(
            actor=actor, task=task, answer=answer, revision=revision
        )
        CHECK.end(check)
    return check


@action("task.check", about="task")
def decide_check(*, actor: Any, task: Task, verdict: str, remarks: str) -> ReferenceCheck:
    """Decide whether the reference answer is right. A fault returns the task with the remarks.

    Raises:
        BadInput: no verdict or no remarks.
        Conflict: `not_answered`, the own answer is not handed in yet; or the place has ended.
    """
    remarks = finding(CHECK, verdict, remarks)
    refuse_in_conflict(actor=actor, task=task, kind=CHECK.kind)
    with transaction.atomic():
        check: ReferenceCheck
        task, check = CHECK.conclude(actor, task, verdict, remarks)
        if verdict == ReferenceCheck.Verdict.RIGHT:
            task.note("reference_right", actor=actor, seconds=check.seconds)
            decide_if_complete(task, None)  # no actor: the panel decides, not its checker
        else:
            _send_back(task, [remarks], cause="reference_check", seconds=check.seconds)
    return check


# --- solving a question with an exact answer ------------------------------------------------------
@action("task.solve", about="task")
@transaction.atomic
def begin_solve(*, actor: Any, task: Task) -> None:
    """Note that the solver has opened the question; the time starts here, once.

    Whoever may know the steps from an earlier submission sees them at once: this verifies.
    """
    open_place(actor=actor, task=task)
    mine = SOLVE.mine(actor, task).filter(started_at__isnull=True)
    now = timezone.now()
    mine.filter(looked_at__isnull=False).update(started_at=now, ended_at=now, seconds=0)
    mine.update(started_at=now)


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
    return _end_solve(actor, task, storable.one_line(answer).strip())


@action("task.solve", about="task")
def look_at_steps(*, actor: Any, task: Task) -> Solve:
    """Look at the author's answer and steps without an own answer: from here this verifies.

    Raises:
        Conflict: `too_early`, before the mark; `answered`, the solve has ended already; or the
            place has ended.
    """
    return _end_solve(actor, task, "")


def _end_solve(actor: Any, task: Task, answer: str) -> Solve:
    refuse_in_conflict(actor=actor, task=task, kind=SOLVE.kind)
    with transaction.atomic():
        solve: Solve
        task, solve = SOLVE.lock(actor, task)
        _refuse_second_answer(solve, solve.ended_at, answer)
        if answer:
            solve.agrees = _agrees(answer, task)
        elif timezone.now() < (solve.started_at or timezone.now()) + MARK:
            raise Conflict(
                _("You can look at the steps fifteen minutes after opening. Try until then."),
                code="too_early",
            )
        else:
            solve.looked_at = timezone.now()
        solve.answer = answer
        SOLVE.end(solve)
    return solve


def _agrees(answer: str, task: Task) -> bool | None:
    """Return whether two answers certainly say the same; None where the rules do not tell."""
    expected = expected_of(Task.objects.only("answer_form").get(pk=task.pk))
    told = compare(answer, expected) if expected else Comparison.ASK
    return None if told is Comparison.ASK else told is Comparison.RIGHT


@action("task.solve", about="task")
def decide_solve(*, actor: Any, task: Task, verdict: str, remarks: str) -> Solve:
    """Say whether the author's answer is right and the only one, with the reason.

    When both solvers have found it right, the panel decides. When one of them has not, and no
    other solver is at work, the task goes back to its author with what the solvers wrote.

    Raises:
        BadInput: no verdict or no remarks.
        Conflict: `not_answered`, nothing was handed in yet; or the place has ended.
    """
    remarks = finding(SOLVE, verdict, remarks)
    refuse_in_conflict(actor=actor, task=task, kind=SOLVE.kind)
    with transaction.atomic():
        solve: Solve
        task, solve = SOLVE.conclude(actor, task, verdict, remarks)
        event = "solve_right" if verdict == Solve.Verdict.RIGHT else "solve_doubted"
        task.note(event, actor=actor, seconds=solve.seconds, unaided=solve.unaided)
        settle_solves(task)
    return solve


def settle_solves(task: Task) -> None:
    """Go on where both solvers agree with the answer; send the task back where one does not.

    The caller has locked the task. While another solver is at work, nothing happens.
    """
    solves = list(solves_of(task))
    decided = [solve for solve in solves if solve.verdict]
    at_work = [solve for solve in solves if solve.solver_id and not solve.verdict]
    doubts = [solve.remarks for solve in decided if solve.verdict != Solve.Verdict.RIGHT]
    if not doubts:
        decide_if_complete(task, None)  # waits while a solve is open
    elif not at_work:
        _send_back(task, doubts, cause="solvers", doubts=len(doubts), solvers=len(decided))


def _send_back(task: Task, remarks: Iterable[str], **data: Any) -> None:
    release_places(task)
    task.advance(Stage.DRAFT, actor=None, reason="\n\n".join(remarks), **data)


def connect() -> None:
    """Connect the receiver of a solver leaving without a verdict. It runs in the transaction."""
    place_left.connect(_go_on, sender=PanelPlace, dispatch_uid="curation.solving")


def _go_on(sender: Any, task: Task, place: PanelPlace, **_more: Any) -> None:
    """Send a task back that the other solver doubts, for which nobody is at work any more."""
    if place.kind == PanelPlace.Kind.SOLVE:
        settle_solves(task)

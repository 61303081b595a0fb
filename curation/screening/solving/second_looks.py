"""Actions of a second look: ask author and solvers, answer, close."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, Max, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.process.states import move
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.notices.notify import domain_facts, send_notices
from curation.joining.people import Qualification, User
from curation.screening.panels.models import Solve
from curation.screening.solving.actions import SOLVE, finding
from curation.screening.solving.models import SecondLook, SecondOpinion
from curation.tasks.task.fields import TEXT_PARTS, answers_exactly
from curation.tasks.task.models import Task

Why, Outcome = SecondLook.Why, SecondLook.Outcome


def asked_people(task: Task) -> list[tuple[User, str]]:
    """Return (person, role) of whom a second look would ask: the author, and the last solvers.

    Only those who are active and still qualified in the domain. Two queries.
    """
    qualified = Qualification.objects.filter(
        user=OuterRef("pk"), domain=task.domain_id, active=True
    )
    people: QuerySet[User] = User.objects.filter(Exists(qualified), is_active=True)
    authors = people.filter(pk=task.author_id or 0)
    solvers = people.filter(
        pk__in=Solve.objects.filter(task_id=task.pk, round=task.screening_round)
        .exclude(verdict="")
        .values("solver_id")
    )
    return [
        *((one, Role.AUTHOR.value) for one in authors),
        *((one, Role.SOLVER.value) for one in solvers.order_by("pk")),
    ]


def why_no_look(task: Task) -> str:
    """Return why nobody can be asked for a second look; "" if it is possible. Three queries."""
    if not answers_exactly(task):
        return _("An answer to this task is a text, so there is no exact answer to look at.")
    if task.external:
        return _("The task came from another benchmark, so nobody here can be asked.")
    if task.stage != Stage.APPROVED:
        return _("The task is not approved at the moment.")
    if SecondLook.objects.filter(task_id=task.pk, state=SecondLook.State.OPEN).exists():
        return _("A second look is open already.")
    if not asked_people(task):
        return _("Neither its author nor a solver is active in the domain, so nobody can be asked.")
    return ""


@action("task.administer", about="task")
@transaction.atomic
def ask_second_look(
    *, actor: Any, task: Task, why: str, words: str, shown: Mapping[str, Any] | None = None
) -> SecondLook:
    """Ask the author and the solvers of an approved task to look at its answer again.

    Args:
        words: what they are to look at; they read it.
        shown: what models said: plain data, without the name of a model.

    Raises:
        BadInput: no words, or an unknown cause.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: `cannot_ask`, where `why_no_look` gives a reason.
    """
    words = required_reason(words, _("Say what they are to look at."), field="words")
    if why not in Why.values:
        raise BadInput(fields={"why": [_("Choose why the answer is looked at again.")]})
    task = Task.objects.select_for_update(of=("self",)).defer(*TEXT_PARTS).get(pk=task.pk)
    if problem := why_no_look(task):
        raise Conflict(problem, code="cannot_ask")
    last = task.second_looks.aggregate(last=Max("number"))["last"] or 0
    try:
        with transaction.atomic():
            look = SecondLook.objects.create(
                task=task,
                number=last + 1,
                why=why,
                words=words,
                shown=dict(shown or {}),
                opened_by=actor,
            )
    except IntegrityError:
        raise Conflict(_("A second look is open already."), code="cannot_ask") from None
    people = asked_people(task)
    SecondOpinion.objects.bulk_create(
        SecondOpinion(look=look, person=person, role=role) for person, role in people
    )
    task.note("second_look_opened", actor=actor, reason=words, look=look.pk, asked=len(people))
    send_notices(
        [person for person, _role in people],
        "second_look_asked",
        once=f"second-look-{look.pk}",
        url=reverse("second-look", args=[look.pk]),
        task=str(task),
        **domain_facts(task.domain),
    )
    return look


@action("look.answer", about="look")
@transaction.atomic
def give_opinion(*, actor: Any, look: SecondLook, verdict: str, remarks: str) -> SecondOpinion:
    """Say, at a second look, whether the answer is right and the only one, with the reason.

    Raises:
        BadInput: no verdict or no remarks.
        Conflict: `wrong_stage`, the look is closed; `answered`, this person has answered.
    """
    remarks = finding(SOLVE, verdict, remarks)
    look = SecondLook.objects.select_for_update(of=("self",)).get(pk=look.pk)
    if not look.open:
        raise Conflict(
            _("Staff have closed this second look, so yours was not counted. Thank you."),
            code="wrong_stage",
        )
    mine = SecondOpinion.objects.filter(look=look, person=actor, verdict="")
    if not mine.update(verdict=verdict, remarks=remarks, at=timezone.now()):
        raise Conflict(_("You have answered already. It stays as it is."), code="answered")
    return SecondOpinion.objects.get(look=look, person=actor)


@action("task.administer", about="look.task")
@transaction.atomic
def close_look(*, actor: Any, look: SecondLook, outcome: str, reason: str) -> SecondLook:
    """Close a second look with its outcome. What follows is done on the task's page.

    Raises:
        BadInput: no outcome or no reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: `wrong_stage`, it is closed already.
    """
    problems: dict[str, list[str]] = {}
    if outcome not in Outcome.values:
        problems["outcome"] = [_("Choose how the second look ends.")]
    try:
        reason = required_reason(reason, _("Say why it ends so; those who looked read it."))
    except BadInput as refusal:
        problems |= refusal.fields
    if problems:
        raise BadInput(fields=problems)
    rows = SecondLook.objects.filter(pk=look.pk)
    closed = move(
        rows,
        SecondLook.State.CLOSED,
        outcome=outcome,
        reason=reason,
        closed_by=actor,
        closed_at=timezone.now(),
    )
    if not closed:
        raise Conflict(
            _("This second look was closed before you, so nothing was changed."),
            code="wrong_stage",
        )
    look.refresh_from_db()
    look.task.note("second_look_closed", actor=actor, reason=reason, look=look.pk, outcome=outcome)
    return look

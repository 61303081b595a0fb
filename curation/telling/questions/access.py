"""Who asks, who answers, and who sees a question.

A question shows what its asker knows of a task. So the author never sees a question about the own
task that somebody else asked, and a senior sees none whose seat on the task has to stay blind, or
who has a conflict of interest with the author. Before a panel has kept the task, staff alone
answer: any expert of the domain may still have to check or solve it blindly.
"""

from typing import Any

from django.db.models import Q, QuerySet

from curation.base.access.permissions import allows, authorize, is_senior_in_its_domain, signed_in
from curation.base.process.roles import Role
from curation.base.web.refusals import NotFound
from curation.joining.domains.models import Domain
from curation.joining.notices.notify import seniors_of
from curation.joining.people.conflicts import cached_conflicts_of
from curation.joining.people.models import User
from curation.tasks.task.access import is_not_its_author, kept_off, seat_role
from curation.tasks.task.fields import PARTS
from curation.tasks.task.models import Seat
from curation.tasks.task.text_basis import AMENDABLE
from curation.telling.questions.models import AskedQuestion

# Who holds one of these has read the task as a senior; any other seat has to stay blind.
SENIOR_SEATS = (Role.ADVISER, Role.AMENDMENT_DECIDER, Role.DECIDER, Role.SPOT_CHECKER)


# --- facts about a person and a domain ------------------------------------------------------------
def works_in_it(user: Any, domain: Any) -> bool:
    return signed_in(user, None) and domain.pk in user.qualified_domain_ids()


# --- facts about a person and a question ----------------------------------------------------------
def asked_it(user: Any, question: Any) -> bool:
    return bool(user.pk and question.asked_by_id == user.pk)


def did_not_ask_it(user: Any, question: Any) -> bool:
    return not asked_it(user, question)


def may_still_ask_about_it(user: Any, question: Any) -> bool:
    """Return whether the person still sees what the question is about."""
    if question.task is not None:
        return allows(user, "task.ask", question.task)
    return allows(user, "domain.ask", question.domain)


def has_no_blind_seat(user: Any, question: Any) -> bool:
    """Return whether the person wrote nothing of the task and holds no seat that stays blind."""
    task = question.task
    if task is None:
        return True
    return is_not_its_author(user, task) and seat_role(user, task) in (None, *SENIOR_SEATS)


def answers_as_a_senior(user: Any, question: Any) -> bool:
    """Return whether the person is a senior of its domain who may read the task."""
    task = question.task
    return is_senior_in_its_domain(user, question) and (
        task is None or task.stage in AMENDABLE and user.pk not in kept_off(task)
    )


def reads_it(user: Any, question: Any) -> bool:
    """Return whether the person reads what was said, and of which task.

    A senior without a seat could still judge the task blindly, and takes a seat before.
    """
    task = question.task
    if task is None or user.is_staff or asked_it(user, question):
        return True
    return seat_role(user, task) in SENIOR_SEATS


# --- loading and selecting ------------------------------------------------------------------------
def access_question(user: Any, pk: int, permission: str = "question.view") -> AskedQuestion:
    """Load a question for its asker, or for somebody who may answer it.

    Raises:
        NotFound: there is none, or the person may not even see it.
        Denied: the person may see it, but not do this.
    """
    rows = AskedQuestion.objects.select_related(
        "domain", "task__domain", "task__author", "task__rubric_author"
    )
    found = rows.filter(pk=pk).first()
    if found is None or not allows(user, "question.view", found):
        raise NotFound()
    authorize(user, permission, found)
    return found


def access_domain(user: Any, key: str) -> Domain:
    """Load a domain for somebody who may read its shared answers.

    Raises:
        NotFound: there is none, or the person does not work in it.
    """
    found = Domain.objects.filter(key=key, external=False).first()
    if found is None or not allows(user, "faq.view", found):
        raise NotFound()
    return found


def answerable(user: Any, at_most: int | None = None) -> list[AskedQuestion]:
    """Return the questions that wait and that a person may answer, the oldest first.

    One query, and two more where a senior finds some.
    """
    edits, seniority = user.is_staff and user.does_editing, user.senior_domain_ids()
    if not edits and not seniority:
        return []
    rows = AskedQuestion.objects.filter(not_blind(user), state=AskedQuestion.State.OPEN)
    rows = rows.exclude(asked_by=user).order_by("waits_since", "pk")
    if edits:
        return list(rows.select_related("domain")[:at_most])
    ready = Q(task=None) | Q(task__stage__in=AMENDABLE)
    rows = rows.filter(ready, domain__in=seniority).select_related("domain", "task")
    found = list(rows.defer(*(f"task__{name}" for name in PARTS)))
    if any(one.task for one in found):
        kept = cached_conflicts_of(user)
        found = [one for one in found if not one.task or not _authors(one) & kept]
    return found[:at_most]


def _authors(question: AskedQuestion) -> set[int]:
    task = question.task
    return {pk for pk in (task.author_id, task.rubric_author_id) if pk} if task else set()


def not_blind(user: Any) -> Q:
    """Select the questions on whose tasks the person has no part that stays blind."""
    blind = Seat.objects.filter(user=user).exclude(role__in=SENIOR_SEATS)
    wrote = Q(task__author=user) | Q(task__rubric_author=user)
    return Q(task=None) | ~wrote & ~Q(task__in=blind.values("task"))


def readable_by_staff(rows: "QuerySet[AskedQuestion]", user: Any) -> "QuerySet[AskedQuestion]":
    """Select those of some questions whose page a member of the staff may open."""
    return rows.filter(Q(asked_by=user) | not_blind(user))


def answerers_of(question: AskedQuestion) -> list[User]:
    """Return everybody who may answer a question: seniors of its domain, and staff who edit."""
    task = question.task
    seniors = seniors_of(question.domain_id).exclude(is_staff=True, does_editing=True)
    people = User.objects.filter(is_staff=True, does_editing=True, is_active=True)
    if task is not None:
        blind = task.seats.exclude(role__in=SENIOR_SEATS).values("user")
        wrote = [pk for pk in (task.author_id, task.rubric_author_id) if pk]
        people = people.exclude(pk__in=blind).exclude(pk__in=wrote)
        seniors = seniors.exclude(pk__in=blind).exclude(pk__in=[*wrote, *kept_off(task)])
        if task.stage not in AMENDABLE:
            seniors = seniors.none()
    found = {person.pk: person for person in (*seniors, *people)}
    found.pop(question.asked_by_id, None)
    return list(found.values())

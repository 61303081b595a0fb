"""Questions as their people read them, and what a domain shares."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from curation.base.access.permissions import allows, authorize, is_senior_in_its_domain, signed_in
from curation.base.process.roles import Role
from curation.base.web.refusals import NotFound
from curation.joining.domains.models import Domain
from curation.joining.notices.notify import seniors_of
from curation.joining.people import User, cached_conflicts_of
from curation.tasks.task.fields import PARTS
from curation.tasks.task.models import Seat
from curation.tasks.task.queries import is_not_its_author, kept_off, seat_role
from curation.tasks.task.text_basis import AMENDABLE
from curation.telling.questions.models import AskedQuestion, QuestionEntry, SharedAnswer

# A question shows what its asker knows of a task. So the author never sees a question about the own
# task that somebody else asked, and a senior sees none whose seat on the task has to stay blind, or
# who has a conflict of interest with the author. Before a panel has kept the task, staff alone
# answer: any expert of the domain may still have to check or solve it blindly.


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


SHOWN = 100  # of one's own questions
Kind = QuestionEntry.Kind


@dataclass(frozen=True)
class Said:
    """One thing said, in its newest words.

    Attributes:
        earlier: the wordings it had before, the newest first.
        mine: whether the reader said it.
    """

    entry: QuestionEntry
    text: str
    earlier: list[QuestionEntry]
    newest: QuestionEntry
    mine: bool

    @property
    def is_answer(self) -> bool:
        return self.entry.kind == Kind.ANSWER


@dataclass(frozen=True)
class Page:
    """A question as one person reads it; without names.

    Attributes:
        thread: what was said; empty where it is closed.
        closed: whether the reader has to take a seat before reading what was said, and of what.
        sees_task: whether the reader may know title and language of the task.
        opens: whether the reader may open the task's page.
    """

    question: AskedQuestion
    thread: list[Said]
    closed: bool
    mine: bool
    may_answer: bool
    may_follow_up: bool
    sees_task: bool
    opens: bool
    shared: SharedAnswer | None


def page_of(user: Any, question: AskedQuestion) -> Page:
    """Return a question as a person reads it."""
    may_answer = allows(user, "question.answer", question)
    task, closed = question.task, not reads_it(user, question)
    sees = not closed and task is not None and (may_answer or allows(user, "task.ask", task))
    return Page(
        question=question,
        thread=[] if closed else thread_of(user, question),
        closed=closed,
        mine=question.asked_by_id == user.pk,
        may_answer=may_answer,
        may_follow_up=allows(user, "question.follow_up", question),
        sees_task=sees,
        opens=task is not None and allows(user, "task.view", task),
        shared=SharedAnswer.objects.filter(question=question, ended_at=None).first(),
    )


def thread_of(user: Any, question: AskedQuestion) -> list[Said]:
    """Return what was said, in order, each answer in its newest words. One query."""
    rows = list(QuestionEntry.objects.filter(question=question))
    next_of = {row.corrects_id: row for row in rows if row.corrects_id}
    found = []
    for row in rows:
        if row.kind == Kind.CORRECTION:
            continue
        chain = [row]
        while chain[-1].pk in next_of:
            chain.append(next_of[chain[-1].pk])
        found.append(
            Said(row, chain[-1].text, chain[-2::-1], chain[-1], chain[-1].by_id == user.pk)
        )
    return found


def own_questions(user: Any) -> list[AskedQuestion]:
    """Return what a person asked, the newest first, each with its first words as `text`."""
    rows = AskedQuestion.objects.filter(asked_by=user).select_related("domain")[:SHOWN]
    return with_first_words(list(rows))


def to_answer(user: Any) -> list[AskedQuestion]:
    """Return the questions to answer, each with its first words as `text`.

    "" for those that a senior reads after taking a seat only.
    """
    rows = with_first_words(answerable(user))
    if not user.is_staff:
        seats = Seat.objects.filter(user=user, role__in=SENIOR_SEATS)
        held = set(seats.values_list("task_id", flat=True))
        for one in rows:
            if one.task_id is not None and one.task_id not in held:
                one.text = ""  # type: ignore[attr-defined]
    return rows


def with_first_words(questions: list[AskedQuestion]) -> list[AskedQuestion]:
    """Give each question its words as `text`. One query."""
    rows = QuestionEntry.objects.filter(question__in=questions, number=1)
    words = dict(rows.values_list("question_id", "text"))
    for one in questions:
        one.text = words.get(one.pk, "")  # type: ignore[attr-defined]
    return questions


def shared_in(domain: Domain) -> list[SharedAnswer]:
    """Return what a domain shares, the newest first. One query.

    The rows of their questions are read for the rule they are about, and for nothing else.
    """
    rows = SharedAnswer.objects.filter(question__domain=domain, ended_at=None)
    return list(
        rows.select_related("question").only(
            "asked", "answered", "at", "question__rule_kind", "question__rule"
        )
    )


def domains_with_answers(user: Any) -> list[Domain]:
    """Return the domains whose shared answers a person may read."""
    rows = Domain.objects.filter(external=False)
    return list(rows if user.is_staff else rows.filter(pk__in=user.qualified_domain_ids()))

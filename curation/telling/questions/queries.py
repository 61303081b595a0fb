"""Questions as their people read them, and what a domain shares."""

from dataclasses import dataclass
from typing import Any

from curation.base.access.permissions import allows
from curation.joining.domains.models import Domain
from curation.tasks.task.models import Seat
from curation.telling.questions.access import SENIOR_SEATS, answerable, reads_it
from curation.telling.questions.models import AskedQuestion, QuestionEntry, SharedAnswer

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

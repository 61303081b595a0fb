"""Ask, ask on, settle; answer, correct an answer."""

from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.roles import Role
from curation.base.process.states import move
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Domain
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Task
from curation.tasks.task.queries import seat_role
from curation.telling.questions.models import AskedQuestion, QuestionEntry
from curation.telling.questions.notices import tell_answerers, tell_asker
from curation.telling.questions.queries import SENIOR_SEATS
from curation.telling.questions.roles import role_of_answerer, role_of_asker
from curation.telling.questions.subjects import (
    GUIDELINE,
    LINTER,
    guideline_rules,
    lines_for,
    linter_rules,
)

TEXT_LIMIT = 4000  # characters
MOST_OPEN = 20  # questions of one person that wait for an answer
State, Kind = AskedQuestion.State, QuestionEntry.Kind


# --- asking ---------------------------------------------------------------------------------------
@action("task.ask", about="task")
@transaction.atomic
def ask_about_task(*, actor: Any, task: Task, text: str, line: str = "") -> AskedQuestion:
    """Ask about a task that one has in hand, or about a line of its rubric.

    Args:
        line: the key of the line; "" for the task as a whole.

    Raises:
        BadInput: no text, or the person reads no such line.
        Conflict: `too_many` of the person's questions wait.
    """
    about: dict[str, Any] = {"task": task, "domain_id": task.domain_id}
    if line:
        found = next((one for one in lines_for(actor, task) if one.key == line), None)
        if found is None:
            raise BadInput(fields={"line": [_("Choose a line of the rubric as you see it.")]})
        about |= {"line_key": line, "line_number": found.number, "line_text": found.text}
    return _ask(actor, role_of_asker(actor, task), text, about)


@action("domain.ask", about="domain")
@transaction.atomic
def ask_about_rule(*, actor: Any, domain: Domain, rule: str, text: str) -> AskedQuestion:
    """Ask about a rule of a guideline, or of the linter.

    Args:
        rule: its kind and name, as in "guideline:Sources" or "linter:vague".

    Raises:
        BadInput: no text, or no such rule.
        Conflict: `too_many` of the person's questions wait.
    """
    kind, _colon, name = rule.partition(":")
    known: Any = {GUIDELINE: guideline_rules(domain.pk), LINTER: linter_rules()}.get(kind, ())
    if name not in known:
        raise BadInput(fields={"rule": [_("Choose a rule.")]})
    about = {"domain": domain, "rule_kind": kind, "rule": name}
    return _ask(actor, role_of_asker(actor, None), text, about)


def _ask(actor: Any, role: str, text: str, about: dict[str, Any]) -> AskedQuestion:
    text = _said(text, _("Write your question."))
    if AskedQuestion.objects.filter(asked_by=actor, state=State.OPEN).count() >= MOST_OPEN:
        raise Conflict(
            _("%(n)s of your questions wait for an answer. Ask the next one when they have it.")
            % {"n": MOST_OPEN},
            code="too_many",
        )
    question = AskedQuestion.objects.create(asked_by=actor, role=role, entries=1, **about)
    asked = QuestionEntry.objects.create(
        question=question, number=1, kind=Kind.QUESTION, text=text, by=actor, role=role
    )
    tell_answerers(question, asked)
    return question


@action("question.follow_up", about="question")
@transaction.atomic
def follow_up(*, actor: Any, question: AskedQuestion, text: str) -> QuestionEntry:
    """Ask on; the question waits for an answer again.

    Raises:
        BadInput: no text.
        Conflict: `wrong_state`, it waits for an answer already.
    """
    text = _said(text, _("Write what is still open."))
    entry = _add(question, State.OPEN, Kind.FOLLOW_UP, text, actor, question.role)
    if entry is None:
        raise Conflict(
            _("Your question still waits for an answer. You can ask on when it has one."),
            code="wrong_state",
        )
    AskedQuestion.objects.filter(pk=question.pk).update(waits_since=entry.at)
    tell_answerers(question, entry)
    return entry


@action("question.settle", about="question")
@transaction.atomic
def settle_question(*, actor: Any, question: AskedQuestion) -> None:
    """Mark a question as settled, with an answer or without.

    Raises:
        Conflict: `wrong_state`, it is settled.
    """
    if not move(AskedQuestion.objects.filter(pk=question.pk), State.SETTLED):
        raise Conflict(_("This question is settled already."), code="wrong_state")
    question.refresh_from_db()


# --- answering ------------------------------------------------------------------------------------
@action("question.answer", about="question")
@transaction.atomic
def take_question(*, actor: Any, question: AskedQuestion) -> None:
    """Take a senior's seat on the task of a question, to read the task before answering.

    A seat once taken stays, so whoever has read the task this way judges nothing of it blindly.
    Staff read tasks without a seat.
    """
    task = question.task
    if task is not None and not actor.is_staff and seat_role(actor, task) not in SENIOR_SEATS:
        take_seat(task=task, user=actor, role=Role.ADVISER)


@action("question.answer", about="question")
@transaction.atomic
def answer_question(*, actor: Any, question: AskedQuestion, text: str) -> QuestionEntry:
    """Answer a question that waits; the first of two answers counts.

    Raises:
        BadInput: no text.
        Conflict: `wrong_state`, a colleague answered, or the asker settled it.
    """
    text = _said(text, _("Write the answer."))
    take_question(actor=actor, question=question)
    role = role_of_answerer(actor)
    entry = _add(question, State.ANSWERED, Kind.ANSWER, text, actor, role, only_from=State.OPEN)
    if entry is None:
        raise Conflict(
            _("A colleague has answered, or the asker has settled it, so nothing was sent."),
            code="wrong_state",
        )
    tell_asker(question, "question_answered", entry)
    return entry


@action("question.answer", about="question")
@transaction.atomic
def correct_answer(
    *, actor: Any, question: AskedQuestion, entry: QuestionEntry, text: str
) -> QuestionEntry:
    """Give an answer new words; the earlier ones stay in its history.

    Args:
        entry: the answer, or the newest correction of it.

    Raises:
        BadInput: no text, or it is no answer to this question.
        Conflict: `changed_meanwhile`, somebody corrected it before.
    """
    text = _said(text, _("Write the answer as it should be."))
    if entry.question_id != question.pk or entry.kind not in (Kind.ANSWER, Kind.CORRECTION):
        raise BadInput(_("This is no answer to the question."))
    _lock(question)
    if QuestionEntry.objects.filter(corrects=entry).exists():
        raise Conflict(
            _("A colleague corrected this answer meanwhile. Load the page again to see how."),
            code="changed_meanwhile",
        )
    take_question(actor=actor, question=question)
    made = _append(question, Kind.CORRECTION, text, actor, role_of_answerer(actor), entry)
    tell_asker(question, "question_answer_corrected", made)
    return made


# --- common ---------------------------------------------------------------------------------------
def _said(text: str, missing: str) -> str:
    return required_reason(text, missing, limit=TEXT_LIMIT, field="text")


def _lock(question: AskedQuestion) -> None:
    """Lock the question, so that entries are numbered one after the other."""
    question.refresh_from_db(from_queryset=AskedQuestion.objects.select_for_update(of=("self",)))


def _add(
    question: AskedQuestion,
    to: str,
    kind: str,
    text: str,
    actor: Any,
    role: str,
    only_from: str = "",
) -> QuestionEntry | None:
    """Move a question and add an entry; None where it is in another state."""
    rows = AskedQuestion.objects.filter(pk=question.pk)
    if not move(rows.filter(state=only_from) if only_from else rows, to):
        return None
    question.refresh_from_db()
    return _append(question, kind, text, actor, role)


def _append(
    question: AskedQuestion,
    kind: str,
    text: str,
    actor: Any,
    role: str,
    corrects: QuestionEntry | None = None,
) -> QuestionEntry:
    """Add an entry under the next number. The caller's update or lock keeps others waiting."""
    AskedQuestion.objects.filter(pk=question.pk).update(entries=F("entries") + 1)
    question.refresh_from_db()
    return QuestionEntry.objects.create(
        question=question,
        number=question.entries,
        kind=kind,
        text=text,
        by=actor,
        role=role,
        corrects=corrects,
        at=timezone.now(),
    )

"""Share question and answer with the experts of a domain, and end that."""

import re
from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.text.personal_data import people_named
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.fields import PARTS
from curation.tasks.task.models import Task
from curation.telling.questions.actions import TEXT_LIMIT
from curation.telling.questions.models import AskedQuestion, QuestionEntry, SharedAnswer
from curation.telling.questions.notices import tell_asker
from curation.telling.questions.subjects import all_line_texts

RUN = 8  # words in a row, or Chinese characters, that count as a quotation
_TOKEN = re.compile(r"[\u3040-\u9fff]|[^\W_]+")
_PSEUDONYM = re.compile(r"\b(?:Expert|Staff)\s+\d+\b|(?:专家|工作人员)\s*\d+", re.IGNORECASE)


def problem_with(text: str, sources: Iterable[str]) -> str:
    """Say in a sentence why a text must not be shared with a domain; "" if nothing was found.

    Args:
        sources: the texts of the task, its lines and its title.
    """
    if _PSEUDONYM.search(text) or storable.addresses(text) or people_named(text):
        return _("Name nobody here, not by a pseudonym either.")
    quoted = quotation(text, sources)
    if quoted:
        return _(
            "This quotes the task (“… %(words)s …”). Say it in words that fit any task: others "
            "may still have to work on this one without knowing it."
        ) % {"words": quoted}
    return ""


def quotation(text: str, sources: Iterable[str]) -> str:
    """Return the first run of words that a text has in common with a source; "" if none.

    A source of fewer words than a run counts where the text has the whole of it, from four words.
    """
    tokens = _tokens(text)
    for source in sources:
        theirs = _tokens(source)
        size = min(RUN, len(theirs))
        if size < 4:
            continue
        runs = {tuple(theirs[n : n + size]) for n in range(len(theirs) - size + 1)}
        for n in range(len(tokens) - size + 1):
            run = tuple(tokens[n : n + size])
            if run in runs:
                return ("" if len(run[0]) == 1 else " ").join(run)
    return ""


def _tokens(text: str) -> list[str]:
    return [match.group().casefold() for match in _TOKEN.finditer(text)]


@action("question.answer", about="question")
@transaction.atomic
def share_answer(*, actor: Any, question: AskedQuestion, asked: str, answered: str) -> SharedAnswer:
    """Share question and answer with the domain; a wording shared before is replaced.

    Args:
        asked, answered: both in words that do not tell of which task they speak.

    Raises:
        BadInput: a text is missing, names somebody or quotes the task.
        Conflict: `wrong_state`, nobody has answered yet.
    """
    locked = AskedQuestion.objects.select_for_update().get(pk=question.pk)
    if not locked.thread.filter(kind=QuestionEntry.Kind.ANSWER).exists():
        raise Conflict(_("Nobody has answered this question yet."), code="wrong_state")
    sources = _texts_of(question)
    texts = {
        "asked": _checked("asked", asked, _("Write the question."), sources),
        "answered": _checked("answered", answered, _("Write the answer."), sources),
    }
    fields = {name: [found[1]] for name, found in texts.items() if found[1]}
    if fields:
        raise BadInput(fields=fields)
    _end(question, actor)
    shared = SharedAnswer.objects.create(
        question=question, asked=texts["asked"][0], answered=texts["answered"][0], by=actor
    )
    tell_asker(question, "question_shared", shared)
    return shared


@action("question.answer", about="question")
@transaction.atomic
def end_sharing(*, actor: Any, question: AskedQuestion) -> None:
    """Take question and answer off the page of the domain.

    Raises:
        Conflict: `no_change`, they are not shared.
    """
    if not _end(question, actor):
        raise Conflict(_("This answer is not shared."), code="no_change")


def _end(question: AskedQuestion, actor: Any) -> int:
    shown = SharedAnswer.objects.filter(question=question, ended_at=None)
    return shown.update(ended_at=timezone.now(), ended_by=actor)


def _checked(name: str, text: str, missing: str, sources: list[str]) -> tuple[str, str]:
    """Return a text as it is stored, and what is wrong with it."""
    try:
        said = required_reason(text, missing, limit=TEXT_LIMIT, field=name)
    except BadInput as refusal:
        return text, refusal.sentence
    return said, problem_with(said, sources)


def _texts_of(question: AskedQuestion) -> list[str]:
    """Return the texts of the task and the lines of its rubric, whoever shares."""
    if question.task is None:
        return []
    texts = Task.objects.filter(pk=question.task.pk).values_list(*PARTS).get()
    lines = all_line_texts(question.task)
    return [text for text in (*texts, question.line_text, *lines) if text]

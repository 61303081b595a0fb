"""Item statistics of an exam, each with a sentence on what to look at."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.exams.item_statistics import (
    FEWEST,
    Answered,
    Item,
    analyse,
    concern,
)
from curation.qualifying.exams.models import SittingQuestion

CHOICES = (Question.Kind.SINGLE, Question.Kind.MULTIPLE)

WHY_NONE: dict[str, Any] = {
    "few": gettext_lazy("too few answers"),
    "same": gettext_lazy("all got the same points"),
    "rest": gettext_lazy("no spread in the rest"),
}


@dataclass(frozen=True)
class Choice:
    """An option of a choice, and how often it was chosen."""

    text: str
    right: bool
    count: int
    n: int

    @property
    def bar(self) -> list[tuple[int, str]]:
        return [(self.count, "accent" if self.right else "ink-3"), (self.n - self.count, "empty")]


@dataclass(frozen=True)
class ItemRow:
    """A question with its statistics."""

    question: Question
    item: Item
    urgency: int
    sentence: str
    choices: tuple[Choice, ...]

    @property
    def why_none(self) -> Any:
        """Why no discrimination is shown."""
        return WHY_NONE.get(self.item.reason, "")

    @property
    def percent(self) -> int | None:
        return None if self.item.difficulty is None else round(100 * self.item.difficulty)


def _sentence(name: str, item: Item) -> str:
    words: dict[str, str] = {
        "reversed": _(
            "Those who do well in the rest get this wrong more often than the others. Check the "
            "key and the wording."
        ),
        "strong_distractor": _(
            "A wrong option attracts stronger candidates than the right one. Check whether it can "
            "be defended."
        ),
        "weak": _("It hardly separates strong candidates from weak ones."),
        "hard": _("Hardly anybody gets it. Is it fair, and is the key right?"),
        "easy": _("Nearly everybody gets it, so it says little."),
        "idle_option": _("An option was never chosen, so it does no work."),
        "few": _("Too few answers to say: %(n)s of %(needed)s.") % {"n": item.n, "needed": FEWEST},
    }
    return words.get(name, _("Nothing stands out."))


def statistics(exam: Exam) -> list[ItemRow]:
    """Return every question that is active or was asked, the most urgent first. Two queries.

    Counts all graded answers of sittings that have a result, of any attempt.
    """
    questions = {q.pk: q for q in exam.questions.order_by("position", "pk")}
    rows = SittingQuestion.objects.filter(
        question__exam=exam, points__isnull=False, sitting__passed__isnull=False
    ).values_list("sitting_id", "question_id", "points", "seconds", "answer")
    items = analyse(
        Answered(
            paper=sitting,
            question=pk,
            points=points or 0,
            possible=questions[pk].points,
            seconds=seconds,
            answer=answer
            if questions[pk].kind in CHOICES
            else ("given" if answer not in (None, "", []) else None),
        )
        for sitting, pk, points, seconds, answer in rows.iterator(chunk_size=5000)
    )
    found = [
        _row(question, items.get(pk, Item(pk)))
        for pk, question in questions.items()
        if question.active or pk in items
    ]
    return sorted(found, key=lambda row: (not row.question.active, -row.urgency))


def _row(question: Question, item: Item) -> ItemRow:
    key: list[int] = list(question.key) if question.kind in CHOICES else []
    options = question.options if question.kind in CHOICES else []
    urgency, name = concern(item, options=len(options), key=key)
    return ItemRow(
        question=question,
        item=item,
        urgency=urgency,
        sentence=_sentence(name, item),
        choices=tuple(
            Choice(text, place in key, item.chosen.get(place, 0), item.n)
            for place, text in enumerate(options)
        ),
    )


HEAD = (
    "question",
    "kind",
    "topic",
    "difficulty_set",
    "active",
    "answers",
    "share_of_points",
    "discrimination",
    "no_discrimination_because",
    "median_seconds",
    "left_open",
    "options_chosen",
)


def table(rows: list[ItemRow]) -> list[list[Any]]:
    """Return the figures as rows of a CSV file with the header `HEAD`. Options count from 1."""
    return [
        [
            row.question.key_id,
            row.question.kind,
            row.question.topic,
            row.question.difficulty,
            "yes" if row.question.active else "no",
            row.item.n,
            "" if row.item.difficulty is None else f"{row.item.difficulty:.3f}",
            "" if row.item.discrimination is None else f"{row.item.discrimination:.3f}",
            row.item.reason,
            "" if row.item.seconds is None else f"{row.item.seconds:g}",
            row.item.empty,
            "; ".join(
                f"{place}{' (right)' if choice.right else ''}: {choice.count}"
                for place, choice in enumerate(row.choices, start=1)
            ),
        ]
        for row in rows
    ]


def headline(rows: list[ItemRow]) -> str:
    """Return the first sentence of the page."""
    urgent = sum(row.urgency >= 4 for row in rows if row.question.active)
    judged = sum(row.item.n >= FEWEST for row in rows)
    if not judged:
        return _("No question has enough answers yet to say how it works.")
    if urgent:
        return pgettext(
            "item statistics", "%(n)s of %(all)s questions with enough answers need a look."
        ) % {"n": urgent, "all": judged}
    return _("No question with enough answers needs a look.")

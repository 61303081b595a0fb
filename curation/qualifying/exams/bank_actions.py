"""Actions of staff on an exam: its settings, its blueprint, and the questions of its bank.

A question that a candidate was asked never changes, because the answer was given to its wording:
a change creates a new question and retires the old one.
"""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.records.faults import Faults
from curation.base.records.json_lines import Record
from curation.base.records.kind import Outcome, RecordKind, Source
from curation.base.records.rows import read_rows
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Domain
from curation.qualifying.exams.bank_models import BlueprintRow, Exam, Question
from curation.qualifying.exams.grading import key_fits

FIELDS = (
    "key_id",
    "kind",
    "topic",
    "difficulty",
    "text",
    "options",
    "unit",
    "key",
    "points",
    "study",
)
TEXTS = {"topic": 120, "text": 10_000, "unit": 30, "study": 2000}
MOST_POINTS, MOST_OPTIONS = 20, 12


# --- the exam -------------------------------------------------------------------------------------
@action("exam.administer", about="domain")
@transaction.atomic
def save_exam(
    *,
    actor: Any,
    domain: Domain,
    settings: Mapping[str, Any],
    blueprint: Sequence[tuple[str, int | None, int]] | None = None,
) -> Exam:
    """Create or change the exam of a domain. Open sittings keep their paper and their deadline.

    Args:
        settings: title, title_zh, minutes, pass_percent, attempts, wait_hours, marking_days,
            shuffle; settings left out stay as they are.
        blueprint: rows of (topic, difficulty or None for any, count); None leaves it as it is.
    """
    exam = Exam.objects.select_for_update().filter(domain=domain).first()
    if exam is None:
        exam = Exam(domain=domain)
    for name, value in settings.items():
        setattr(exam, name, value)
    exam.save()
    if blueprint is not None:
        exam.blueprint.all().delete()
        BlueprintRow.objects.bulk_create(
            BlueprintRow(exam=exam, topic=topic, difficulty=difficulty, count=count)
            for topic, difficulty, count in blueprint
            if count
        )
    return exam


# --- questions ------------------------------------------------------------------------------------
def problems_with(values: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the problems of a question's values: field -> sentences; empty if it can be stored."""
    problems: dict[str, list[str]] = {}
    unknown = sorted(set(values) - set(FIELDS))
    if unknown:
        problems[""] = [_("Unknown: %(names)s.") % {"names": ", ".join(unknown)}]
    kind, options = values.get("kind"), values.get("options", [])
    if kind not in Question.Kind.values:
        problems["kind"] = [
            _("Choose one of: %(kinds)s.") % {"kinds": ", ".join(Question.Kind.values)}
        ]
    for name, limit in TEXTS.items():
        value = values.get(name, "")
        problem = storable.problem_with(value, limit=limit)
        if not problem and name in ("topic", "text") and storable.is_blank(value):
            problem = _("Please fill this in.")
        if problem:
            problems[name] = [problem]
    key_id = values.get("key_id", "")
    if key_id and not _is_name(key_id):
        problems["key_id"] = [_("Use at most 40 letters, digits, - and _ only.")]
    if type(values.get("difficulty", 2)) is not int or values.get("difficulty", 2) not in (1, 2, 3):
        problems["difficulty"] = [_("Give 1 for easy, 2 for medium or 3 for hard.")]
    points = values.get("points", 1)
    if type(points) is not int or not 1 <= points <= MOST_POINTS:
        problems["points"] = [_("Give between 1 and %(most)s points.") % {"most": MOST_POINTS}]
    if not _are_options(options) or (options and kind in ("numeric", "short")):
        problems["options"] = [
            _("Give at most %(most)s different texts, and none for a number or a short text.")
            % {"most": MOST_OPTIONS}
        ]
    elif "kind" not in problems and not key_fits(str(kind), options, values.get("key")):
        problems["key"] = [_("This answer key does not suit this kind of question.")]
    return problems


def _is_name(value: Any) -> bool:
    return (
        isinstance(value, str)
        and len(value) <= 40
        and value.isascii()
        and value.replace("-", "").replace("_", "").isalnum()
    )


def _are_options(options: Any) -> bool:
    return (
        isinstance(options, list)
        and len(options) <= MOST_OPTIONS
        and all(
            not storable.problem_with(option, limit=1000) and not storable.is_blank(option)
            for option in options
        )
        and len({option.strip() for option in options}) == len(options)
    )


def _refuse(values: Mapping[str, Any]) -> None:
    problems = problems_with(values)
    if problems:
        raise BadInput(fields=problems)


def _next_position(exam: Exam) -> int:
    return (exam.questions.aggregate(last=Max("position"))["last"] or 0) + 1


def _free_name(exam: Exam, wanted: str) -> str:
    """Return the wanted key, with a number appended if it is taken."""
    return _free(wanted, set(exam.questions.values_list("key_id", flat=True)))


def _free(wanted: str, taken: Collection[str]) -> str:
    name, n = wanted, 2
    while name in taken:
        name, n = f"{wanted[:36]}-{n}", n + 1
    return name


@action("exam.administer", about="exam")
@transaction.atomic
def add_question(*, actor: Any, exam: Exam, values: Mapping[str, Any]) -> Question:
    """Add a question to the bank; it can be drawn at once.

    Args:
        values: the fields of `FIELDS`. Without a `key_id` the question gets the next free one.

    Raises:
        BadInput: a field cannot be stored, or the key cannot grade the question.
    """
    _refuse(values)
    Exam.objects.select_for_update().get(pk=exam.pk)
    position = _next_position(exam)
    given = values.get("key_id") or ""
    if given and exam.questions.filter(key_id=given).exists():
        raise BadInput(fields={"key_id": [_("The bank already has a question with this name.")]})
    rest = {name: value for name, value in values.items() if name != "key_id"}
    return Question.objects.create(
        exam=exam,
        key_id=given or _free_name(exam, f"q{position}"),
        position=position,
        **rest,
    )


def mark_of(question: Question) -> str:
    """Return a hash of what a question says, to detect changes since it was read."""
    said = [getattr(question, name) for name in FIELDS]
    return hashlib.sha256(json.dumps(said, default=str).encode()).hexdigest()[:16]


@action("exam.administer", about="question")
@transaction.atomic
def change_question(
    *, actor: Any, question: Question, values: Mapping[str, Any], was: str = ""
) -> Question:
    """Change a question. One that was asked is retired unchanged, and a new one replaces it.

    Args:
        was: `mark_of` the question when it was read; "" to change it whatever it says now.

    Returns:
        The question with the new values: the same one, or the new one.

    Raises:
        BadInput: a field cannot be stored, or the key cannot grade the question.
        Conflict: `replaced`, there is a newer one already; `changed_meanwhile`.
    """
    _refuse(values)
    Exam.objects.select_for_update().get(pk=question.exam_id)  # draws wait for this lock
    current = Question.objects.get(pk=question.pk)
    changed = {
        name: value
        for name, value in values.items()
        if name != "key_id" and getattr(current, name) != value
    }
    if not changed:
        return current
    if was and was != mark_of(current):
        raise Conflict(
            _("Somebody changed this question since you opened it, so nothing was stored."),
            code="changed_meanwhile",
        )
    if current.replaced_by.exists():
        raise Conflict(
            _("A newer question has replaced this one. Change the newer one instead."),
            code="replaced",
        )
    if not current.asked.exists():
        for name, value in changed.items():
            setattr(current, name, value)
        current.save(update_fields=list(changed))
        return current
    fields = {name: getattr(current, name) for name in FIELDS if name != "key_id"}
    new = Question.objects.create(
        **{
            **fields,
            **changed,
            "exam": current.exam,
            "key_id": _free_name(current.exam, current.key_id),
            "position": current.position,
            "active": current.active,
            "replaces": current,
        }
    )
    Question.objects.filter(pk=current.pk).update(active=False)
    return new


@action("exam.administer", about="question")
@transaction.atomic
def set_active(*, actor: Any, question: Question, active: bool) -> Question:
    """Retire a question, or bring it back. Papers that hold it keep it.

    Raises:
        Conflict: `replaced`: two wordings of the same question could be drawn.
    """
    Exam.objects.select_for_update().get(pk=question.exam_id)
    if active and question.replaced_by.exists():
        raise Conflict(
            _("This question was replaced by a newer one, which can be brought back instead."),
            code="replaced",
        )
    Question.objects.filter(pk=question.pk).update(active=active)
    question.active = active
    return question


class Questions(RecordKind):
    """Questions for the bank of an exam, which are added and never changed.

    A question has the fields of `FIELDS`; `id` may stand for `key_id`.
    """

    name = "questions"

    def __init__(self, exam: Exam) -> None:
        self.exam = exam

    def read(self, source: Source, file: str, progress: Any) -> tuple[list[Record], Faults]:
        """Read JSON lines."""
        faults = Faults(file)
        columns = ("id", *FIELDS)
        rows = read_rows(source, faults, columns=columns, most_bytes=20_000_000, most_rows=50_000)
        return rows, faults

    def check(self, records: Sequence[Record], faults: Faults) -> None:
        """Check each question; its name is free, or is given."""
        Exam.objects.select_for_update().get(pk=self.exam.pk)
        taken = set(self.exam.questions.values_list("key_id", flat=True))
        self.wanted: dict[int, Question] = {}
        for place, row in enumerate(records, start=_next_position(self.exam)):
            values = {("key_id" if name == "id" else name): v for name, v in row.values.items()}
            for name, sentences in problems_with(values).items():
                faults.add(row.line, name or "line", " ".join(map(str, sentences)))
            key = values.pop("key_id", "") or _free(f"q{place}", taken)
            if not isinstance(key, str) or key in taken:
                sentence = _("The bank already has a question with this name.")
                faults.add(row.line, "id", sentence)
            elif not faults.found:
                self.wanted[row.line] = Question(
                    exam=self.exam, key_id=key, position=place, **values
                )
            if isinstance(key, str):
                taken.add(key)

    def compare(
        self, records: Sequence[Record], faults: Faults
    ) -> tuple[Collection[int], Collection[int]]:
        """Return nothing: a question that is there is refused."""
        return (), ()

    def store(self, new: Sequence[Record], changed: Sequence[Record], faults: Faults) -> None:
        """Add the questions."""
        Question.objects.bulk_create(self.wanted[row.line] for row in new)

    def summary(self, done: Outcome) -> str:
        """Return how many were added."""
        return f"{done.added} questions were added."


@action("exam.administer", about="exam")
def import_questions(*, actor: Any, exam: Exam, data: bytes, file: str) -> int:
    """Add many questions, all or none; return how many.

    Raises:
        FileRefused: with all faults of all lines.
    """
    return Questions(exam).run(data, file=file).added

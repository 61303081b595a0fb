"""Queries about the bank of questions, for staff. They may return keys."""

import hashlib
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from curation.base.access import permissions
from curation.base.process.lifecycle import ApplicationStage
from curation.base.web.refusals import Denied, NotFound
from curation.joining.domains.models import Domain
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.bank_models import BlueprintRow, Exam, Question
from curation.qualifying.exams.paper import BankQuestion, Shortfall, shortfalls

DIFFICULTIES = tuple(Question.Difficulty)


# --- loading with authority ---------------------------------------------------------------------
def domains_applied_for(user: Any) -> set[int]:
    """Return the ids of domains whose exam the person may still sit: its bank is closed to them."""
    stages = (ApplicationStage.APPLIED, ApplicationStage.EXAM)
    rows = Application.objects.filter(user=user, stage__in=stages)
    return set(rows.values_list("domain_id", flat=True))


def _refuse_candidate(user: Any, domain_id: int) -> None:
    if domain_id in domains_applied_for(user):
        raise Denied(
            _(
                "You have applied for this domain yourself, so its exam stays closed to you until "
                "your own is over. A colleague can do this."
            )
        )


def access_domain_exam(user: Any, key: str) -> tuple[Domain, Exam | None]:
    """Load a domain with its exam, which is None if it has none yet.

    Raises:
        NotFound: no such domain of the programme, or the person is not staff.
        Denied: the member of staff is a candidate of this exam.
    """
    domain = Domain.objects.select_related("exam").filter(key=key, external=False).first()
    if domain is None or not permissions.allows(user, "exam.oversee", domain):
        raise NotFound()
    _refuse_candidate(user, domain.pk)
    return domain, getattr(domain, "exam", None)


def access_exam(user: Any, key: str) -> Exam:
    """Load an exam.

    Raises:
        NotFound, Denied: as `access_domain_exam`; NotFound also if the domain has no exam.
    """
    _domain, exam = access_domain_exam(user, key)
    if exam is None:
        raise NotFound()
    return exam


def access_question(user: Any, pk: int) -> Question:
    """Load a question of the bank, with its key.

    Raises:
        NotFound, Denied: as `access_domain_exam`.
    """
    question = Question.objects.select_related("exam__domain").filter(pk=pk).first()
    if question is None or not permissions.allows(user, "exam.oversee", question.exam.domain):
        raise NotFound()
    _refuse_candidate(user, question.exam.domain_id)
    return question


# --- the draw -------------------------------------------------------------------------------------
def bank_questions(exam: Exam) -> list[BankQuestion]:
    """Return the active questions for a draw, in the bank's order. Selects no keys."""
    rows = exam.questions.filter(active=True).order_by("position", "pk")
    return [
        BankQuestion(pk, topic, difficulty, kind == Question.Kind.ORDERING, len(options))
        for pk, topic, difficulty, kind, options in rows.values_list(
            "pk", "topic", "difficulty", "kind", "options"
        )
    ]


def is_ready(exam: Exam | None) -> bool:
    """Return whether a paper can be drawn now."""
    if exam is None:
        return False
    bank = bank_questions(exam)
    return bool(bank) and not shortfalls(bank, list(exam.blueprint.all()))


def paper_size(exam: Exam) -> tuple[int, int, int]:
    """Return (number of questions, minimum points, maximum points) of a paper.

    Papers differ in points if the questions of a row do.
    """
    active = exam.questions.filter(active=True)
    blueprint = list(exam.blueprint.all())
    if not blueprint:
        whole = active.aggregate(n=Count("pk"), points=Sum("points"))
        return whole["n"], whole["points"] or 0, whole["points"] or 0
    rows = list(active.values_list("topic", "difficulty", "points"))
    least = most = 0
    for row in blueprint:
        points = sorted(p for t, d, p in rows if t == row.topic and row.difficulty in (None, d))
        least += sum(points[: row.count])
        most += sum(points[-row.count :])
    return sum(row.count for row in blueprint), least, most


def shortfall_sentence(short: Shortfall) -> str:
    """Word a row that the bank cannot fill."""
    facts = {"topic": short.topic, "have": short.have, "count": short.count}
    if short.difficulty is None:
        return (
            _("“%(topic)s”: %(count)s are to be drawn, and the bank has %(have)s for it.") % facts
        )
    facts["difficulty"] = Question.Difficulty(short.difficulty).label
    return (
        _(
            "“%(topic)s”, %(difficulty)s: %(count)s are to be drawn, and the bank has %(have)s "
            "for it."
        )
        % facts
    )


# --- all exams --------------------------------------------------------------------------------
@dataclass(frozen=True)
class ExamRow:
    """A domain in the staff's list of exams."""

    domain: Domain
    exam: Exam | None
    active: int
    drawn: int
    problems: tuple[str, ...]
    running: int
    unmarked: int  # sittings that wait for seniors
    oldest: datetime | None
    due: datetime | None
    closed: bool  # whether the reader is a candidate of it


def exams_of_all_domains(user: Any) -> list[ExamRow]:
    """Return every domain with the state of its exam. Five queries, however many domains."""
    bank: dict[int, list[BankQuestion]] = {}
    rows = Question.objects.filter(active=True)
    for pk, owner, topic, difficulty in rows.values_list("pk", "exam_id", "topic", "difficulty"):
        bank.setdefault(owner, []).append(BankQuestion(pk, topic, difficulty, False, 0))
    blueprints: dict[int, list[BlueprintRow]] = {}
    for row in BlueprintRow.objects.all():
        blueprints.setdefault(row.exam_id, []).append(row)
    runs = Q(sittings__isnull=False, sittings__submitted_at__isnull=True)
    waits = Q(sittings__submitted_at__isnull=False, sittings__passed__isnull=True)
    sat: dict[int, dict[str, Any]] = {
        found["domain"]: dict(found)
        for found in Application.objects.filter(stage=ApplicationStage.EXAM)
        .order_by()
        .values("domain")
        .annotate(
            running=Count("sittings", filter=runs),
            unmarked=Count("sittings", filter=waits),
            oldest=Min("sittings__submitted_at", filter=waits),
        )
    }
    own = domains_applied_for(user)
    found = []
    for domain in Domain.objects.filter(external=False).select_related("exam"):
        exam: Exam | None = getattr(domain, "exam", None)
        bank_of_exam = bank.get(exam.pk, []) if exam else []
        blueprint = blueprints.get(exam.pk, []) if exam else []
        counts: dict[str, Any] = sat.get(domain.pk, {})
        oldest = counts.get("oldest")
        found.append(
            ExamRow(
                domain=domain,
                exam=exam,
                active=len(bank_of_exam),
                drawn=sum(row.count for row in blueprint) or len(bank_of_exam),
                problems=tuple(
                    shortfall_sentence(short) for short in shortfalls(bank_of_exam, blueprint)
                ),
                running=counts.get("running", 0),
                unmarked=counts.get("unmarked", 0),
                oldest=oldest,
                due=exam.marks_due_at(oldest) if exam and oldest else None,
                closed=domain.pk in own,
            )
        )
    return found


# --- one exam -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class TopicRow:
    """A topic of the bank with the counts that a blueprint draws from it."""

    number: int
    topic: str
    have: tuple[int, ...]  # number of active questions: easy, medium, hard
    wanted: tuple[tuple[str, int, int], ...]  # (name of the field, count to draw, count in bank)

    @property
    def total(self) -> int:
        return sum(self.have)


def topic_rows(exam: Exam, typed: dict[str, int] | None = None) -> list[TopicRow]:
    """Return the table of topics and difficulties in which staff fill in a blueprint.

    Args:
        typed: field name -> count of a refused form; None for the stored blueprint.
    """
    have: Counter[tuple[str, int]] = Counter(
        exam.questions.filter(active=True).values_list("topic", "difficulty")
    )
    asked = {(row.topic, row.difficulty or 0): row.count for row in exam.blueprint.all()}
    topics = sorted({topic for topic, _d in have} | {topic for topic, _d in asked})
    found = []
    for number, topic in enumerate(topics, start=1):
        mark = hashlib.sha256(topic.encode()).hexdigest()[:12]  # the bank may change meanwhile
        by_difficulty = tuple(have[topic, d.value] for d in DIFFICULTIES)
        wanted = []
        for d in (0, *(d.value for d in DIFFICULTIES)):
            name = f"b-{mark}-{d}"
            count = asked.get((topic, d), 0) if typed is None else typed.get(name, 0)
            wanted.append((name, count, have[topic, d] if d else sum(by_difficulty)))
        found.append(TopicRow(number, topic, by_difficulty, tuple(wanted)))
    return found


# --- the list of questions ------------------------------------------------------------------------
def questions(
    exam: Exam,
    *,
    words: str = "",
    topic: str = "",
    difficulty: str = "",
    kind: str = "",
    active: str = "",
) -> QuerySet[Question]:
    """Return the questions of an exam for the staff's list, the active ones first."""
    rows = exam.questions.defer("key", "options", "study").annotate(
        was_asked=Exists(Question.objects.filter(pk=OuterRef("pk"), asked__isnull=False))
    )
    if words:
        rows = rows.filter(Q(text__icontains=words) | Q(key_id__icontains=words))
    if topic:
        rows = rows.filter(topic=topic)
    if difficulty:
        rows = rows.filter(difficulty=difficulty)
    if kind:
        rows = rows.filter(kind=kind)
    if active:
        rows = rows.filter(active=active == "yes")
    return rows.order_by("-active", F("position").asc(), "pk")


def topics(exam: Exam) -> list[str]:
    """Return the topics of the bank in alphabetical order."""
    return list(exam.questions.order_by("topic").values_list("topic", flat=True).distinct())

"""The panel's queue, and a task as the panel may see it: without its author."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Length
from django.utils.translation import gettext as _

from curation.lifecycle import Stage
from curation.models import Role, ScreeningVote, Seat, Task, TaskEvent
from curation.models.tasks import TEXT_PARTS

CHARACTERS_PER_WORD = 6  # of English running text with its spaces


@dataclass(frozen=True)
class BlindTask:
    """A task for people who must not learn who wrote it. There is no author to leak."""

    pk: int
    title: str
    domain: str
    category: str
    language: str
    minutes: int | None
    stage: str
    screening_round: int
    scenario: str
    materials: str
    requirements: str
    reference_answer: str


@dataclass(frozen=True)
class BlindVote:
    """A colleague's vote, without the colleague."""

    number: int
    mine: bool
    difficult: bool
    representative: bool
    gradable: bool
    decision: str
    decision_label: str
    reasons: str
    at: datetime


@dataclass(frozen=True)
class Probe:
    """How one probing model did: lines met of lines asked, or why there is no count."""

    model: str
    met: int | None
    lines: int | None
    problem: str = ""


@dataclass(frozen=True)
class Findings:
    """What the machine found out before the panel reads.

    Attributes:
        sentence: the reason recorded with the move ("Probing skipped: …"), or empty.
        near: (title or key, likeness from 0 to 1) of similar tasks.
    """

    sentence: str
    probes: tuple[Probe, ...]
    near: tuple[tuple[str, float], ...]


def queue_of(user: Any) -> QuerySet[Task]:
    """Tasks of a person's domains that are being screened, not theirs, without a seat of theirs."""
    return (
        Task.objects.filter(stage=Stage.SCREENING, domain_id__in=user.qualified_domain_ids())
        .exclude(author=user)
        .exclude(pk__in=Seat.objects.filter(user=user).values("task_id"))
    )


def _my_seats(user: Any) -> QuerySet[Any]:
    """Tasks on whose panel a person sits, each with `voted`: whether they did this round."""
    return Task.objects.filter(
        stage=Stage.SCREENING,
        domain_id__in=user.qualified_domain_ids(),
        pk__in=Seat.objects.filter(user=user, role=Role.SCREENER).values("task_id"),
    ).annotate(voted=Exists(_votes_of_the_round().filter(member=user)))


def _votes_of_the_round() -> QuerySet[ScreeningVote]:
    return ScreeningVote.objects.filter(
        task=OuterRef("pk"), round=OuterRef("screening_round")
    ).order_by()


def open_seats(user: Any) -> QuerySet[Task]:
    """Tasks on whose panel a person sits and has not voted in this round."""
    return _my_seats(user).filter(voted=False).order_by("stage_since")


def voted_seats(user: Any) -> QuerySet[Task]:
    """Tasks whose panel still waits for others after this person's vote."""
    return _my_seats(user).filter(voted=True).order_by("stage_since")


def rows(tasks: QuerySet[Task]) -> QuerySet[Any]:
    """A queue as rows: title, domain, length, since when, votes and seats so far.

    The length is counted in the database; the texts never leave it.
    """
    length = sum((Length(part) for part in TEXT_PARTS[1:]), Length(TEXT_PARTS[0]))
    counted = _votes_of_the_round().values("task").annotate(n=Count("pk")).values("n")
    seats = (
        Seat.objects.filter(task=OuterRef("pk"), role=Role.SCREENER)
        .order_by()
        .values("task")
        .annotate(n=Count("pk"))
        .values("n")
    )
    return (
        tasks.annotate(
            characters=length,
            votes=Coalesce(Subquery(counted, output_field=IntegerField()), 0),
            seats_taken=Coalesce(Subquery(seats, output_field=IntegerField()), 0),
        )
        .order_by("stage_since", "id")
        .values(
            "id",
            "title",
            "key",
            "language",
            "stage_since",
            "screening_round",
            "characters",
            "votes",
            "seats_taken",
            "domain__name",
            "domain__name_zh",
        )
    )


def about_words(characters: int, language: str) -> int:
    """A length in words, rounded to hundreds; Chinese counts characters."""
    words = characters if language.startswith("zh") else characters / CHARACTERS_PER_WORD
    return max(100, round(words / 100) * 100)


def blind(task: Task) -> BlindTask:
    """The task as the panel sees it."""
    return BlindTask(
        pk=task.pk,
        title=task.title,
        domain=str(task.domain),
        category=str(task.category) if task.category else "",
        language=task.language,
        minutes=task.minutes,
        stage=task.stage,
        screening_round=task.screening_round,
        scenario=task.scenario,
        materials=task.materials,
        requirements=task.requirements,
        reference_answer=task.reference_answer,
    )


def findings(task: Any) -> Findings:
    """What the machine recorded when it passed the task on, newest round. Two queries at most."""
    row = (
        TaskEvent.objects.filter(task_id=task.pk, to_stage=Stage.SCREENING)
        .exclude(from_stage=F("to_stage"))
        .order_by("-id")
        .values("reason", "data")
        .first()
    ) or {"reason": "", "data": {}}
    data = row["data"] or {}
    probes = tuple(
        Probe(p.get("model", ""), p.get("met"), p.get("lines"), p.get("problem", ""))
        for p in data.get("probes") or []
    )
    near = [(other["task"], other["similarity"]) for other in data.get("duplicates") or []]
    titles = (
        dict(Task.objects.filter(key__in=[key for key, _s in near]).values_list("key", "title"))
        if near
        else {}
    )
    reason = _(row["reason"]) if row["reason"] else ""
    return Findings(reason, probes, tuple((titles.get(k) or k, s) for k, s in near))


def votes_for(user: Any, task: Any) -> tuple[BlindVote | None, list[BlindVote]]:
    """A member's own vote of this round, and the others' where they may be read. One query.

    The others' votes stay hidden until one's own is cast or the panel has decided; until then
    they are not even selected.
    """
    cast = ScreeningVote.objects.filter(task_id=task.pk, round=task.screening_round)
    if task.stage == Stage.SCREENING:
        mine_is_in = ScreeningVote.objects.filter(
            task=OuterRef("task"), round=OuterRef("round"), member=user
        )
        cast = cast.filter(Q(member=user) | Exists(mine_is_in))
    shown = [
        BlindVote(
            number=n,
            mine=vote.member_id == user.pk,
            difficult=vote.difficult,
            representative=vote.representative,
            gradable=vote.gradable,
            decision=vote.decision,
            decision_label=str(vote.get_decision_display()),
            reasons=vote.reasons,
            at=vote.at,
        )
        for n, vote in enumerate(cast.order_by("at", "id"), start=1)
    ]
    mine = next((vote for vote in shown if vote.mine), None)
    return mine, [vote for vote in shown if not vote.mine]


def quorum() -> int:
    """How many votes decide."""
    return settings.PANEL_QUORUM

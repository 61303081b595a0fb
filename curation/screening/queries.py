"""The panel's queue, and a task as the panel may see it: without its author."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Length
from django.utils.translation import gettext as _

from curation.applications.conflicts import ties_of
from curation.domains.models import Domain
from curation.panels.actions import counted, free_check, standing
from curation.panels.models import PanelPlace, ReferenceCheck, Screening, ScreeningVote
from curation.process.lifecycle import Stage
from curation.tasks import probe_findings
from curation.tasks.fields import TEXT_PARTS, label_of
from curation.tasks.models import Seat, Task, TaskEvent, TextVersion
from curation.tasks.probe_findings import Finding

CHARACTERS_PER_WORD = 6  # of English running text with its spaces
Kind, State = PanelPlace.Kind, PanelPlace.State


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
    """How one probing model did: answers that passed of those graded, or why there is none."""

    model: str
    passed: int
    graded: int
    problem: str = ""


@dataclass(frozen=True)
class Findings:
    """What the machine found out before the panel reads.

    Attributes:
        finding: unknown, fair, easy or suspect.
        sentences: what was measured and how, in the reader's language.
        near: (title or key, likeness from 0 to 1, figures and names in common) of similar tasks;
            the last is 0 where the wording is alike.
        check: of the reference answer: "" (none asked for), "waiting", "right" or "flawed".
    """

    finding: str
    sentences: tuple[str, ...]
    probes: tuple[Probe, ...] = ()
    near: tuple[tuple[str, float, int], ...] = field(default=())
    check: str = ""


# --- a person's places ----------------------------------------------------------------------
def open_places(user: Any) -> QuerySet[PanelPlace]:
    """The places of a person that wait for their vote or their check."""
    return my_places(user).filter(state=State.OPEN)


def my_places(user: Any) -> QuerySet[PanelPlace]:
    """The places of a person in screenings under way: open, and used for a vote or a check."""
    return PanelPlace.objects.filter(
        member=user,
        state__in=(State.OPEN, State.VOTED),
        task__stage=Stage.SCREENING,
        task__domain_id__in=user.qualified_domain_ids(),
        round=F("task__screening_round"),
    )


def place_rows(places: QuerySet[PanelPlace]) -> list[dict[str, Any]]:
    """Places as rows, the nearest date first. One query; no text leaves the database."""
    of_round = {"task": OuterRef("task_id"), "round": OuterRef("round")}
    quorum = Screening.objects.filter(**of_round).values("quorum")[:1]
    rows = (
        places.annotate(
            characters=_length("task__"),
            votes=counted(ScreeningVote.objects.filter(**of_round)),
            quorum=Coalesce(Subquery(quorum, output_field=IntegerField()), 1),
        )
        .order_by("due_at", "id")
        .values(
            *(
                "task_id",
                "round",
                "kind",
                "state",
                "due_at",
                "opened_at",
                "characters",
                "votes",
                "quorum",
            ),
            *("task__title", "task__key", "task__language"),
            *("task__domain__name", "task__domain__name_zh"),
        )
    )
    return [
        {
            **{name.removeprefix("task__"): value for name, value in row.items()},
            "id": row["task_id"],
            "screening_round": row["round"],
            "domain": _domain(row, "task__domain__"),
            "words": about_words(row["characters"], row["task__language"]),
        }
        for row in rows
    ]


# --- the pool ----------------------------------------------------------------------
def pool_of(user: Any) -> QuerySet[Any]:
    """Tasks with a free place that this person may take, with `vote_free` and `check_free`.

    Of their domains, not theirs, without a seat of theirs or a tie to the author, and not asked
    of them before in this screening.
    """
    asked = PanelPlace.objects.filter(
        task=OuterRef("pk"), round=OuterRef("screening_round"), member=user
    )
    tasks = (
        Task.objects.filter(stage=Stage.SCREENING, domain_id__in=user.qualified_domain_ids())
        .exclude(author=user)
        .exclude(author_id__in=ties_of(user))
        .exclude(pk__in=Seat.objects.filter(user=user).values("task_id"))
        .exclude(Exists(asked))
    )
    return (
        standing(tasks)
        .annotate(vote_free=Q(n_quorum__gt=F("n_votes") + F("n_held")), check_free=free_check())
        .filter(Q(vote_free=True) | Q(check_free=True))
    )


def pool_counts(user: Any) -> tuple[int, int]:
    """How many votes and how many checks a person could take. One query beside the conflicts."""
    found = pool_of(user).aggregate(
        votes=Count("pk", filter=Q(vote_free=True)), checks=Count("pk", filter=Q(check_free=True))
    )
    return found["votes"], found["checks"]


def rows(tasks: QuerySet[Any]) -> QuerySet[Any]:
    """A pool as rows: title, domain, length, since when, votes so far and votes wanted.

    The length is counted in the database; the texts never leave it.
    """
    return (
        tasks.annotate(characters=_length(), votes=F("n_votes"), quorum=F("n_quorum"))
        .order_by("stage_since", "id")
        .values(
            *("id", "title", "key", "language", "stage_since", "screening_round"),
            *("characters", "votes", "quorum", "domain__name", "domain__name_zh"),
            *("vote_free", "check_free"),
        )
    )


def as_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the pool with its domain's name and its length in words."""
    return {
        **row,
        "domain": _domain(row, "domain__"),
        "words": about_words(row["characters"], row["language"]),
    }


def _length(prefix: str = "") -> Any:
    """Characters of the prompt. The reference answer is not counted: a checker reads this too."""
    first, *others = (Length(f"{prefix}{part}") for part in TEXT_PARTS[:3])
    return sum(others, first)


def _domain(row: dict[str, Any], prefix: str) -> str:
    return str(Domain(name=row[f"{prefix}name"], name_zh=row[f"{prefix}name_zh"] or ""))


def about_words(characters: int, language: str) -> int:
    """A length in words, rounded to hundreds; Chinese counts characters."""
    words = characters if language.startswith("zh") else characters / CHARACTERS_PER_WORD
    return max(100, round(words / 100) * 100)


# --- one task ----------------------------------------------------------------------
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
    """What the machine recorded when it passed the task on, newest round. Four queries at most."""
    now = {"task_id": task.pk, "round": task.screening_round}
    screening = Screening.objects.filter(**now).first()
    event: Any = (
        TaskEvent.objects.filter(task_id=task.pk, to_stage=Stage.SCREENING)
        .exclude(from_stage=F("to_stage"))
        .order_by("-id")
        .values("reason", "data")
        .first()
    ) or {"reason": "", "data": {}}
    probing = screening.probing if screening else {}
    finding = screening.finding if screening else Finding.UNKNOWN
    sentences = tuple(probe_findings.sentences(finding, probing))
    if not probing and event["reason"]:  # of an edition that recorded a sentence only
        sentences = (_(event["reason"]),)
    probes = tuple(
        Probe(p["model"], p["passed"], p["graded"], p.get("problem", ""))
        for p in probing.get("models") or []
    )
    verdict = None
    if finding == Finding.SUSPECT:
        verdict = ReferenceCheck.objects.filter(**now).values_list("verdict", flat=True).first()
    return Findings(
        finding=finding,
        sentences=sentences,
        probes=probes,
        near=_near((event["data"] or {}).get("duplicates") or []),
        check="" if verdict is None else verdict or "waiting",
    )


def _near(found: list[dict[str, Any]]) -> tuple[tuple[str, float, int], ...]:
    """The similar tasks by their titles; by their keys where there is none."""
    if not found:
        return ()
    keys = [other["task"] for other in found]
    titles = dict(Task.objects.filter(key__in=keys).values_list("key", "title"))
    return tuple(
        (titles.get(o["task"]) or o["task"], o["similarity"], o.get("shared", 0)) for o in found
    )


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


@dataclass(frozen=True)
class EarlierVote:
    """What a member said of the submission before, and which parts the author changed since."""

    decision_label: str
    reasons: str
    at: datetime
    changed: tuple[str, ...]


def earlier_vote(user: Any, task: Any) -> EarlierVote | None:
    """A member's latest vote on an earlier submission. Two queries, one where there is none."""
    if task.screening_round < 2:
        return None
    vote = (
        ScreeningVote.objects.filter(task_id=task.pk, round__lt=task.screening_round, member=user)
        .order_by("-round")
        .first()
    )
    if vote is None:
        return None
    sent = TextVersion.objects.filter(task_id=task.pk, why=TextVersion.Why.SUBMITTED)
    texts = list(sent.order_by("number").values_list("parts", flat=True))
    changed: tuple[str, ...] = ()
    if len(texts) == task.screening_round:
        then, now = texts[vote.round - 1], texts[-1]
        changed = tuple(label_of(name) for name in now if now[name] != then.get(name))
    return EarlierVote(str(vote.get_decision_display()), vote.reasons, vote.at, changed)


def my_place(user: Any, task: Any) -> PanelPlace | None:
    """The person's place in the task's present screening, whatever its state. One query."""
    return PanelPlace.objects.filter(
        task_id=task.pk, round=task.screening_round, member=user
    ).first()


def asked_after_ties(task: Any) -> int:
    """How many members were asked in the present screening because the votes were tied."""
    begun = task.history.filter(to_stage=Stage.SCREENING).exclude(from_stage=Stage.SCREENING).last()
    if begun is None:
        return 0
    return int(task.history.filter(pk__gt=begun.pk, data__event="one_more").count())


def screening_rules(task: Any) -> Screening | None:
    """The rules the task's present screening goes by. One query."""
    return Screening.objects.filter(task_id=task.pk, round=task.screening_round).first()

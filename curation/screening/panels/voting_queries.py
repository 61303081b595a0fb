"""Queries for the panel: its queue, and a task without its author."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Length
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Domain
from curation.joining.people import cached_conflicts_of
from curation.screening.panels.actions import count_per_task, has_free_check, with_panel_counts
from curation.screening.panels.exact_tests import TESTS
from curation.screening.panels.models import (
    PanelPlace,
    ReferenceCheck,
    Screening,
    ScreeningVote,
    Solve,
)
from curation.screening.panels.solves import has_free_solve, solves_of
from curation.tasks.task import probe_findings
from curation.tasks.task.fields import TEXT_PARTS, answers_exactly, label_of
from curation.tasks.task.models import Seat, Task, TaskEvent, TextVersion
from curation.tasks.task.probe_findings import Finding
from curation.tasks.task.queries import holds_seat, is_not_a_draft


def has_no_unopened_place_on_it(user: Any, task: Any) -> bool:
    """Return whether the person holds no place whose task they have not opened yet.

    A panel member first reads the task on the panel's page, which notes that they opened it and
    so keep the seat. Other pages of the task stay closed to them until then.
    """
    return not PanelPlace.objects.filter(
        task_id=task.pk, member_id=user.pk, state=PanelPlace.State.OPEN, opened_at__isnull=True
    ).exists()


def checks_the_task(user: Any, task: Any) -> bool:
    return (
        holds_seat("checker")(user, task)
        and is_not_a_draft(user, task)
        and has_no_unopened_place_on_it(user, task)
    )


CHARACTERS_PER_WORD = 6  # of English running text with its spaces
Kind, State = PanelPlace.Kind, PanelPlace.State


@dataclass(frozen=True)
class BlindVote:
    """A vote without its voter."""

    number: int
    mine: bool
    difficult: bool
    representative: bool
    gradable: bool
    decision: str
    decision_label: str
    reasons: str
    at: datetime
    exact: tuple[tuple[bool, str], ...] = ()  # (passed, in words) of each test of an exact answer


@dataclass(frozen=True)
class Probe:
    """The result of one probing model: passed and graded answers, or why there are none."""

    model: str
    passed: int
    graded: int
    problem: str = ""


@dataclass(frozen=True)
class Findings:
    """What the machine found out before the screening.

    Attributes:
        finding: a `Finding`: unknown, fair, easy or suspect.
        sentences: what was measured and how, in the reader's language.
        near: (title or key, similarity from 0 to 1, figures and names in common) of similar
            tasks; the last is 0 if the wording is similar.
        check: the reference check: "" (none needed), "waiting", "right" or "flawed".
        solves: of an exact answer: (solves with a verdict, those that say right, all).
    """

    finding: str
    sentences: tuple[str, ...]
    probes: tuple[Probe, ...] = ()
    near: tuple[tuple[str, float, int], ...] = field(default=())
    check: str = ""
    solves: tuple[int, int, int] | None = None


# --- a person's places ----------------------------------------------------------------------
def open_places(user: Any) -> QuerySet[PanelPlace]:
    """Return a person's open places: those that wait for their vote or check."""
    return my_places(user).filter(state=State.OPEN)


def my_places(user: Any) -> QuerySet[PanelPlace]:
    """Return a person's open and used places in the current screenings of their domains."""
    return PanelPlace.objects.filter(
        member=user,
        state__in=(State.OPEN, State.VOTED),
        task__stage=Stage.SCREENING,
        task__domain_id__in=user.qualified_domain_ids(),
        round=F("task__screening_round"),
    )


def place_rows(places: QuerySet[PanelPlace]) -> list[dict[str, Any]]:
    """Return places as rows, the nearest due date first. One query; selects no texts."""
    of_round = {"task": OuterRef("task_id"), "round": OuterRef("round")}
    quorum = Screening.objects.filter(**of_round).values("quorum")[:1]
    rows = (
        places.annotate(
            characters=_length("task__"),
            votes=count_per_task(ScreeningVote.objects.filter(**of_round)),
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
    """Return the tasks with a free place that this person may take.

    They are of the person's domains, by another author not in conflict with them, and the person
    holds no seat on them and was not asked yet in this screening. `vote_free`, `check_free`
    and `solve_free` say which kind of place is free.
    """
    asked = PanelPlace.objects.filter(
        task=OuterRef("pk"), round=OuterRef("screening_round"), member=user
    )
    tasks = (
        Task.objects.filter(stage=Stage.SCREENING, domain_id__in=user.qualified_domain_ids())
        .exclude(author=user)
        .exclude(author_id__in=cached_conflicts_of(user))
        .exclude(pk__in=Seat.objects.filter(user=user).values("task_id"))
        .exclude(Exists(asked))
    )
    return (
        with_panel_counts(tasks)
        .annotate(
            vote_free=Q(n_quorum__gt=F("n_votes") + F("n_held")),
            check_free=has_free_check(),
            solve_free=has_free_solve(),
        )
        .filter(Q(vote_free=True) | Q(check_free=True) | Q(solve_free=True))
    )


def pool_counts(user: Any) -> tuple[int, int, int]:
    """Return how many (votes, checks, solves) a person could take. One query, and the conflicts."""
    free = list(pool_of(user).values_list("vote_free", "check_free", "solve_free"))
    return sum(row[0] for row in free), sum(row[1] for row in free), sum(row[2] for row in free)


def pool_rows(tasks: QuerySet[Any]) -> QuerySet[Any]:
    """Return a pool as rows: title, domain, length, age, number of votes, quorum.

    The database counts the characters; no texts are selected.
    """
    return (
        tasks.annotate(characters=_length(), votes=F("n_votes"), quorum=F("n_quorum"))
        .order_by("stage_since", "id")
        .values(
            *("id", "title", "key", "language", "stage_since", "screening_round"),
            *("characters", "votes", "quorum", "domain__name", "domain__name_zh"),
            *("vote_free", "check_free", "solve_free"),
        )
    )


def pool_row(row: dict[str, Any]) -> dict[str, Any]:
    """Add the domain's name and the length in words to a row of the pool."""
    return {
        **row,
        "domain": _domain(row, "domain__"),
        "words": about_words(row["characters"], row["language"]),
    }


def _length(prefix: str = "") -> Any:
    """Count the characters of the prompt; not of the reference answer, as checkers see this too."""
    first, *others = (Length(f"{prefix}{part}") for part in TEXT_PARTS[:3])
    return sum(others, first)


def _domain(row: dict[str, Any], prefix: str) -> str:
    return str(Domain(name=row[f"{prefix}name"], name_zh=row[f"{prefix}name_zh"] or ""))


def about_words(characters: int, language: str) -> int:
    """Return a length in words, rounded to hundreds; in characters for Chinese."""
    words = characters if language.startswith("zh") else characters / CHARACTERS_PER_WORD
    return max(100, round(words / 100) * 100)


# --- one task ----------------------------------------------------------------------
def findings(task: Any) -> Findings:
    """Return what the machine found out about the current submission. At most four queries."""
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
    if not probing and event["reason"]:  # older rows recorded a sentence only
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
        near=_similar_tasks((event["data"] or {}).get("duplicates") or []),
        check="" if verdict is None else verdict or "waiting",
        solves=_solves(task) if answers_exactly(task) else None,
    )


def _solves(task: Any) -> tuple[int, int, int] | None:
    verdicts = list(solves_of(task).values_list("verdict", flat=True))
    if not verdicts:
        return None
    right = verdicts.count(Solve.Verdict.RIGHT)
    return sum(bool(verdict) for verdict in verdicts), right, len(verdicts)


def _similar_tasks(found: list[dict[str, Any]]) -> tuple[tuple[str, float, int], ...]:
    """Return the similar tasks by title, or by key if they have none."""
    if not found:
        return ()
    keys = [other["task"] for other in found]
    titles = dict(Task.objects.filter(key__in=keys).values_list("key", "title"))
    return tuple(
        (titles.get(o["task"]) or o["task"], o["similarity"], o.get("shared", 0)) for o in found
    )


def votes_for(user: Any, task: Any) -> tuple[BlindVote | None, list[BlindVote]]:
    """Return a member's own vote of this round, and those of the others. One query.

    The others' votes are selected only after the member has voted or the panel has decided.
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
            exact=_exact_tests(vote),
        )
        for n, vote in enumerate(cast.order_by("at", "id"), start=1)
    ]
    mine = next((vote for vote in shown if vote.mine), None)
    return mine, [vote for vote in shown if not vote.mine]


def _exact_tests(vote: ScreeningVote) -> tuple[tuple[bool, str], ...]:
    said = [(test, getattr(vote, test.name)) for test in TESTS]
    return tuple(
        (bool(passed), str(test.passed if passed else test.failed))
        for test, passed in said
        if passed is not None
    )


@dataclass(frozen=True)
class EarlierVote:
    """A member's vote on an earlier submission, and the parts that the author changed since."""

    decision_label: str
    reasons: str
    at: datetime
    changed: tuple[str, ...]


def earlier_vote(user: Any, task: Any) -> EarlierVote | None:
    """Return a member's latest vote on an earlier submission. Two queries, one if there is none."""
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
    """Return the person's place in the task's current screening, in any state. One query."""
    return PanelPlace.objects.filter(
        task_id=task.pk, round=task.screening_round, member=user
    ).first()


def members_added_by_ties(task: Any) -> int:
    """Return how many members the current screening added because the votes were tied."""
    begun = task.history.filter(to_stage=Stage.SCREENING).exclude(from_stage=Stage.SCREENING).last()
    if begun is None:
        return 0
    return int(task.history.filter(pk__gt=begun.pk, data__event="one_more").count())


def screening_rules(task: Any) -> Screening | None:
    """Return the task's current screening with its rules; None before it opens. One query."""
    return Screening.objects.filter(task_id=task.pk, round=task.screening_round).first()

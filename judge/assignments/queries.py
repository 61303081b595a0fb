"""Who may score which candidate responses: what staff see when they ask experts to."""

import hashlib
import hmac
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q

from curation.applications.conflicts import conflicts_of
from curation.domains.models import Domain
from curation.people.models import Qualification, User
from curation.process.lifecycle import Stage
from curation.process.roles import Role
from curation.tasks.models import Origin, Seat, Task
from judge.candidates.models import Response
from judge.sheets.models import Sheet
from rubrics.versions.queries import versions_that_count

MOST = 100  # responses on one page


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate's response that could be scored, and how often it is by the current rubric."""

    pk: int
    task: int
    version: int
    domain: str
    candidate: str
    sheets: int
    key: str = ""  # the response's
    task_key: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A person who may score a task's responses, with the sheets they have open."""

    pk: int
    name: str
    load: int


@dataclass(frozen=True, slots=True)
class Row:
    """One task with the responses to be scored, and the people who may."""

    pk: int
    key: str
    title: str
    language: str
    domain: str
    responses: tuple[Found, ...]
    choices: tuple[Choice, ...]
    proposed: int | None


def candidates_for_scoring(
    *, domain: str = "", candidate: str = "", task: str = ""
) -> tuple[Found, ...]:
    """Candidates' responses on tasks in the benchmark with a rubric. Three queries.

    Args:
        domain, candidate, task: key or name to keep to; "" is all.
    """
    rows = Response.objects.filter(baseline=False, anchor__isnull=True).filter(
        Q(task__stage=Stage.APPROVED) | Q(task__origin=Origin.EXTERNAL)
    )
    for path, wanted in (
        ("task__domain__key", domain),
        ("candidate__name", candidate),
        ("task__key", task),
    ):
        if wanted:
            rows = rows.filter(**{path: wanted})
    found = list(
        rows.values_list(
            "pk", "task_id", "task__domain__key", "candidate__name", "key", "task__key"
        )
    )
    versions = {pk: v.pk for pk, v in versions_that_count({row[1] for row in found}).items()}
    scored: Counter[int] = Counter()
    sheets = Sheet.objects.filter(
        response__in=rows.values("pk"), kind=Sheet.Kind.EXPERT, purpose=Sheet.Purpose.ALIGNMENT
    )
    for response, version, of_task in sheets.values_list(
        "response_id", "version_id", "response__task_id"
    ):
        scored[response] += version == versions.get(of_task)
    return tuple(
        Found(pk, of_task, versions[of_task], where, who, scored[pk], key, task_key)
        for pk, of_task, where, who, key, task_key in sorted(found)
        if of_task in versions
    )


def drawn(found: Sequence[Found], size: int, seed: int) -> tuple[Found, ...]:
    """`size` responses nobody has scored yet, balanced over domains and candidates.

    Whole tasks are drawn where they fit: only responses to the same task can be compared. The
    order of equals is that of HMAC-SHA256(seed, key), so it is the same on any machine.
    """
    free: dict[int, list[Found]] = defaultdict(list)
    for one in found:
        if not one.sheets:
            free[one.task].append(one)
    chosen: list[Found] = []
    domains: Counter[str] = Counter()
    candidates: Counter[str] = Counter()

    def rank(key: str) -> str:
        return hmac.new(str(seed).encode(), key.encode(), hashlib.sha256).hexdigest()

    def next_first(task: int) -> tuple[Any, ...]:
        rows = free[task]
        met = sum(candidates[row.candidate] for row in rows) / len(rows)
        return (len(rows) < 2, domains[rows[0].domain], met, rank(rows[0].task_key))

    while free and len(chosen) < size:
        task = min(free, key=next_first)
        rows = sorted(free.pop(task), key=lambda row: (candidates[row.candidate], rank(row.key)))
        for row in rows[: size - len(chosen)]:
            chosen.append(row)
            domains[row.domain] += 1
            candidates[row.candidate] += 1
    return tuple(chosen)


def assignment_rows(responses: Sequence[Found]) -> tuple[Row, ...]:
    """Tasks with their responses and eligible scorers, one of whom is proposed. Eleven queries.

    Eligible: qualified in the domain (in one that came with another benchmark: anywhere), no
    other seat on the task, not its anchor's scorer, no tie to its author, and no sheet of theirs
    on these responses by this rubric. Proposed: whoever has the least to do.
    """
    by_task: dict[int, list[Found]] = defaultdict(list)
    for one in responses:
        by_task[one.task].append(one)
    tasks = list(
        Task.objects.filter(pk__in=by_task).select_related("domain", "author").order_by("key")
    )
    people = _people()
    barred = _barred(tasks)
    had = _had(by_task)
    load = {pk: number for pk, (_name, _domains, number) in people.items()}
    rows = []
    for task in tasks:
        choices = [
            Choice(pk, name, number)
            for pk, (name, domains, number) in people.items()
            if (task.domain_id in domains or (task.domain.external and domains))
            and pk not in barred[task.pk]
            and pk not in had[task.pk]
        ]
        proposed = min(choices, key=lambda one: (load[one.pk], one.pk), default=None)
        if proposed is not None:
            load[proposed.pk] += len(by_task[task.pk])
        rows.append(
            Row(
                pk=task.pk,
                key=task.key,
                title=task.title or task.key,
                language=task.language,
                domain=str(task.domain),
                responses=tuple(by_task[task.pk]),
                choices=tuple(sorted(choices, key=lambda one: (one.load, one.name))),
                proposed=proposed.pk if proposed else None,
            )
        )
    return tuple(rows)


def who_may(responses: Sequence[Found]) -> tuple[dict[int, frozenset[int]], dict[int, int]]:
    """Task -> ids of the people who may score these responses of it; and everybody's open sheets.

    The rule is that of `assignment_rows`. Eight queries.
    """
    by_task: dict[int, list[Found]] = defaultdict(list)
    for one in responses:
        by_task[one.task].append(one)
    tasks = list(Task.objects.filter(pk__in=by_task).select_related("domain", "author"))
    people = _people()
    barred, had = _barred(tasks), _had(by_task)
    anybody = {pk for pk, (_name, domains, _load) in people.items() if domains}
    of_domain: dict[int, set[int]] = defaultdict(set)
    for pk, (_name, domains, _load) in people.items():
        for domain in domains:
            of_domain[domain].add(pk)
    return (
        {
            task.pk: frozenset(
                (anybody if task.domain.external else of_domain[task.domain_id])
                - barred[task.pk]
                - had[task.pk]
            )
            for task in tasks
        },
        {pk: load for pk, (_name, _domains, load) in people.items()},
    )


def _people() -> dict[int, tuple[str, frozenset[int], int]]:
    """Everybody qualified: id -> name, domains, open sheets. Two queries."""
    domains: dict[int, set[int]] = defaultdict(set)
    active = Qualification.objects.filter(active=True, user__is_active=True)
    for pk, domain in active.values_list("user_id", "domain_id"):
        domains[pk].add(domain)
    counted = User.objects.filter(pk__in=domains).annotate(
        load=Count("sheets", filter=Q(sheets__state=Sheet.State.OPEN))
    )
    return {
        pk: (name or email, frozenset(domains[pk]), load)
        for pk, name, email, load in counted.values_list("pk", "display_name", "email", "load")
    }


def _barred(tasks: Iterable[Task]) -> dict[int, set[int]]:
    """Task -> who may never score its candidates, whatever their qualification."""
    found: dict[int, set[int]] = defaultdict(set)
    tasks = list(tasks)
    pks = [task.pk for task in tasks]
    seats = Seat.objects.filter(task__in=pks).exclude(role=Role.SCORER)
    anchored = Sheet.objects.filter(response__task__in=pks, purpose=Sheet.Purpose.ANCHOR)
    for task, user in [
        *seats.values_list("task_id", "user_id"),
        *anchored.values_list("response__task_id", "user_id"),
    ]:
        found[task].add(user)
    ties = conflicts_of([task.author for task in tasks if task.author is not None])
    for task_ in tasks:
        if task_.author is not None:
            found[task_.pk] |= ties[task_.author.pk] | {task_.author.pk}
    return found


def _had(by_task: Mapping[int, Sequence[Found]]) -> dict[int, set[int]]:
    """Task -> who has a sheet on one of these responses by the rubric that counts."""
    versions = {task: rows[0].version for task, rows in by_task.items()}
    found: dict[int, set[int]] = defaultdict(set)
    pks = [one.pk for rows in by_task.values() for one in rows]
    rows = Sheet.objects.filter(response__in=pks, user__isnull=False)
    for task, version, user in rows.values_list("response__task_id", "version_id", "user_id"):
        if version == versions[task]:
            found[task].add(user)
    return found


@dataclass(frozen=True, slots=True)
class Held:
    """An open sheet or check, with who holds it."""

    pk: int
    kind: str  # anchor, alignment, check
    task: int
    title: str
    language: str
    what: str  # the response's candidate; staff may know
    who: str
    due_at: datetime | None
    since: datetime


def open_sheets(*, task: int | None = None) -> list[Held]:
    """Every open sheet, the longest due first. One query."""
    rows = Sheet.objects.filter(state=Sheet.State.OPEN, user__isnull=False)
    if task is not None:
        rows = rows.filter(response__task=task)
    return [
        Held(
            pk=sheet.pk,
            kind=sheet.purpose,
            task=sheet.response.task_id,
            title=sheet.response.task.title or sheet.response.task.key,
            language=sheet.response.task.language,
            what=sheet.response.candidate.name,
            who=sheet.user.display_name or sheet.user.email,  # type: ignore[union-attr]
            due_at=sheet.due_at,
            since=sheet.opened_at,
        )
        for sheet in rows.select_related("user", "response__candidate", "response__task").order_by(
            "due_at", "pk"
        )[:MOST]
    ]


def domains_and_candidates() -> tuple[list[tuple[str, str]], list[str]]:
    """What the page can be narrowed to."""
    names = Response.objects.filter(baseline=False).order_by("candidate__name")
    return (
        [(domain.key, str(domain)) for domain in Domain.objects.all()],
        list(names.values_list("candidate__name", flat=True).distinct()),
    )

"""Candidates' responses that can be scored, and the people who may score them."""

import hashlib
import hmac
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from django.db.models import Count, Q, QuerySet

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User, conflicts_of
from curation.tasks.task.models import Origin, Seat, Task
from judge.asking.candidates.earlier_text import answers_earlier_text
from judge.asking.candidates.models import Candidate, Response
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.scorers.practice_models import PracticeAttempt
from judge.scoring.scorers.readiness import held_up
from judge.scoring.sheets.models import Sheet
from rubrics.versions.queries import version_ids_that_count

MOST = 100  # responses on one page
_Key = TypeVar("_Key")


class Found(NamedTuple):
    """A candidate's response that can be scored.

    `sheets` counts those by the current rubric; of them, `open` are not handed in and `for_flags`
    were asked for because a verdict is flagged.
    """

    pk: int
    task: int
    version: int
    domain: str
    candidate: str
    sheets: int
    key: str = ""  # the response's
    task_key: str = ""
    open: int = 0
    for_flags: int = 0

    @property
    def asked_at_random(self) -> bool:
        """Whether somebody has a sheet that no flag asked for."""
        return self.sheets > self.for_flags

    @property
    def can_be_asked_again(self) -> bool:
        """Whether a flag can ask other experts: once, when what is there is handed in."""
        return self.sheets > 0 and not self.open and not self.for_flags

    @property
    def group(self) -> "Group":
        """Return the group of responses that the same people score.

        The responses to a task without a sheet are one group. Each other response is its own,
        because its scorers may not score it again.
        """
        return self.task_key, self.key if self.sheets else ""


Group = tuple[str, str]  # key of a task; key of the response where it has sheets


@dataclass(frozen=True, slots=True)
class Choice:
    """A person who may score a task's responses; `load` counts their open sheets."""

    pk: int
    name: str
    load: int


@dataclass(frozen=True, slots=True)
class Row:
    """A task with its responses to score and its eligible scorers; `proposed` is one's id."""

    pk: int
    key: str
    title: str
    language: str
    domain: str
    responses: tuple[Found, ...]
    choices: tuple[Choice, ...]
    proposed: int | None


def candidates_for_scoring(
    *, domain: str = "", candidate: str = "", task: str = "", graded: bool = False
) -> tuple[Found, ...]:
    """Return candidates' responses to approved and imported tasks with a rubric. Five queries.

    Args:
        graded: whether to count graded sheets instead of sheets of lines.
        domain: the key of the domain to keep; "" for all.
        candidate: the name of the candidate to keep; "" for all.
        task: the key of the task to keep; "" for all.
    """
    rows = Response.objects.filter(
        ~answers_earlier_text(), baseline=False, anchor__isnull=True
    ).filter(Q(task__stage=Stage.APPROVED) | Q(task__origin=Origin.EXTERNAL))
    for path, wanted in (
        ("task__domain__key", domain),
        ("candidate__name", candidate),
        ("task__key", task),
    ):
        if wanted:
            rows = rows.filter(**{path: wanted})
    # Names are looked up once for each task and candidate, not joined to each of many responses.
    found = list(rows.order_by("pk").values_list("pk", "task_id", "candidate_id", "key"))
    versions = version_ids_that_count({row[1] for row in found})
    names = dict(Candidate.objects.values_list("pk", "name"))
    tasks = {
        pk: (versions[pk], key, where)
        for pk, key, where in Task.objects.order_by().values_list("pk", "key", "domain__key")
        if pk in versions
    }
    scored: Counter[int] = Counter()
    unfinished: Counter[int] = Counter()
    for_flags: Counter[int] = Counter()
    task_of = {row[0]: row[1] for row in found}
    sheets: QuerySet[Any] = (
        GradedSheet.objects.filter(kind=GradedSheet.Kind.EXPERT)
        if graded
        else Sheet.objects.filter(kind=Sheet.Kind.EXPERT, purpose=Sheet.Purpose.ALIGNMENT)
    )
    # Experts' sheets are few beside the responses, so they are narrowed here, not by a subquery.
    columns = ("response_id", "version_id", "state", "flagged_item")
    for response, version, state, item in sheets.order_by().values_list(*columns):
        if response in task_of and version == versions.get(task_of[response]):
            scored[response] += 1
            unfinished[response] += state == Sheet.State.OPEN
            for_flags[response] += item is not None
    return tuple([
        Found(
            pk, of_task, version, where, names[who], scored.get(pk, 0), key, task_key,
            unfinished.get(pk, 0), for_flags.get(pk, 0),
        )
        for pk, of_task, who, key in found
        if of_task in tasks
        for version, task_key, where in (tasks[of_task],)
    ])  # fmt: skip


def drawn(found: Sequence[Found], size: int, seed: int) -> tuple[Found, ...]:
    """Draw `size` responses without a sheet, balanced over domains and candidates.

    Draws whole tasks where they fit, because only responses to the same task can be compared.
    Ties are ordered by HMAC-SHA256(seed, key), so a draw is the same on any machine.
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

    def priority(task: int) -> tuple[Any, ...]:
        rows = free[task]
        drawn_before = sum(candidates[row.candidate] for row in rows) / len(rows)
        return (len(rows) < 2, domains[rows[0].domain], drawn_before, rank(rows[0].task_key))

    while free and len(chosen) < size:
        task = min(free, key=priority)
        rows = sorted(free.pop(task), key=lambda row: (candidates[row.candidate], rank(row.key)))
        for row in rows[: size - len(chosen)]:
            chosen.append(row)
            domains[row.domain] += 1
            candidates[row.candidate] += 1
    return tuple(chosen)


def assignment_rows(responses: Sequence[Found]) -> tuple[Row, ...]:
    """Return the tasks with their responses and eligible scorers. Nineteen queries at most.

    An eligible person is qualified in the domain (for an imported task: in any domain), is given
    new sheets there (`judge.scoring.scorers.readiness`), has no other seat on the task, did not
    score its anchor, practise on it or collect answers to it, has no tie to its author, has no
    sheet on these responses by the current rubric and never flagged a verdict on them. The person
    with the fewest open sheets is proposed.
    """
    by_task: dict[int, list[Found]] = defaultdict(list)
    for one in responses:
        by_task[one.task].append(one)
    tasks, choices_by_task = _choices(by_task)
    given: Counter[int] = Counter()
    rows = []
    for task in sorted(tasks.values(), key=attrgetter("key")):
        choices = choices_by_task[task.pk]
        proposed = min(choices, key=lambda one: (one.load + given[one.pk], one.pk), default=None)
        if proposed is not None:
            given[proposed.pk] += len(by_task[task.pk])
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


def choices_of_each(responses: Sequence[Found]) -> dict[int, list[Choice]]:
    """Return id of each response -> who may score it, by the rule of `assignment_rows`.

    Nineteen queries at most for up to 1,000 tasks, however many responses there are.
    """
    _tasks, found = _choices({one.pk: [one] for one in responses})
    return found


def _choices(
    groups: Mapping[_Key, Sequence[Found]],
) -> tuple[dict[int, Task], dict[_Key, list[Choice]]]:
    """Return the tasks by id, and group -> people who may score its responses.

    Args:
        groups: each of responses to one task.
    """
    tasks = Task.objects.select_related("domain", "author", "rubric_author").in_bulk(
        {rows[0].task for rows in groups.values()}
    )
    people = _people()
    barred = _barred(tasks.values(), people)
    already, flagged = _with_sheet(groups), _who_flagged(groups)
    choices = [
        (Choice(pk, name, load), domains) for pk, (name, domains, load) in people.items() if domains
    ]
    found = {}
    for group, rows in groups.items():
        task = tasks[rows[0].task]
        out = barred[task.pk] | already[group] | flagged[group]
        found[group] = [
            choice
            for choice, domains in choices
            if choice.pk not in out and (task.domain.external or task.domain_id in domains)
        ]
    return tasks, found


def eligible_scorers(
    responses: Sequence[Found],
) -> tuple[dict[Group, frozenset[int]], dict[int, int]]:
    """Return group of responses -> ids of eligible scorers, and person -> number of open sheets.

    Sixteen queries at most. The rule is that of `assignment_rows` but for flags, which the caller
    knows; a response that has sheets is scored by people who never had one on it.
    """
    groups: dict[Group, list[Found]] = defaultdict(list)
    for one in responses:
        groups[one.group].append(one)
    tasks = Task.objects.filter(pk__in={one.task for one in responses}).select_related(
        "domain", "author", "rubric_author"
    )
    by_pk = {task.pk: task for task in tasks}
    people = _people()
    barred = _barred(by_pk.values(), people)
    already = _with_sheet({key: rows for key, rows in groups.items() if not rows[0].sheets})
    already |= _with_sheet(
        {key: rows for key, rows in groups.items() if rows[0].sheets}, any_version=True
    )
    anybody = {pk for pk, (_name, domains, _load) in people.items() if domains}
    of_domain: dict[int, set[int]] = defaultdict(set)
    for pk, (_name, domains, _load) in people.items():
        for domain in domains:
            of_domain[domain].add(pk)
    found = {}
    for group, rows in groups.items():
        task = by_pk[rows[0].task]
        qualified = anybody if task.domain.external else of_domain[task.domain_id]
        found[group] = frozenset(qualified - barred[task.pk] - already.get(group, set()))
    return found, {pk: load for pk, (_name, _domains, load) in people.items()}


def _people() -> dict[int, tuple[str, frozenset[int], int]]:
    """Return the qualified people: id -> name, domains, number of open sheets. Two queries."""
    domains: dict[int, set[int]] = defaultdict(set)
    active = Qualification.objects.filter(active=True, user__is_active=True)
    for pk, domain in active.values_list("user_id", "domain_id"):
        domains[pk].add(domain)
    counted = User.objects.filter(pk__in=domains).annotate(
        load=Count("sheets", filter=Q(sheets__state=Sheet.State.OPEN), distinct=True)
        + Count(
            "graded_sheets", filter=Q(graded_sheets__state=GradedSheet.State.OPEN), distinct=True
        )
    )
    return {
        pk: (name or email, frozenset(domains[pk]), load)
        for pk, name, email, load in counted.values_list("pk", "display_name", "email", "load")
    }


def _barred(tasks: Iterable[Task], people: Collection[int]) -> dict[int, set[int]]:
    """Return task -> people who may not score its candidates, whatever their qualification.

    Either never, because of what they are or did on the task, or not before they practised, or
    were taken out of a pause.
    """
    found: dict[int, set[int]] = defaultdict(set)
    tasks = list(tasks)
    pks = [task.pk for task in tasks]
    seats = Seat.objects.filter(task__in=pks).exclude(role=Role.SCORER)
    anchored = Sheet.objects.filter(response__task__in=pks, purpose=Sheet.Purpose.ANCHOR)
    practised = PracticeAttempt.objects.filter(practice_sheet__response__task__in=pks)
    collected = Task.objects.filter(pk__in=pks, collection_cells__operator__isnull=False)
    for task, user in [
        *seats.values_list("task_id", "user_id"),
        *collected.values_list("pk", "collection_cells__operator").distinct(),
        *anchored.values_list("response__task_id", "user_id"),
        *practised.values_list("practice_sheet__response__task_id", "user_id"),
    ]:
        found[task].add(user)
    domains = {task.domain_id for task in tasks}
    held = held_up([(user, domain) for user in people for domain in domains])
    for one_task in tasks:
        found[one_task.pk] |= {user for user, domain in held if domain == one_task.domain_id}
    writers = {task.pk: [task.author, task.rubric_author] for task in tasks}
    ties = conflicts_of([one for pair in writers.values() for one in pair if one is not None])
    for task_pk, pair in writers.items():
        for one in pair:
            if one is not None:
                found[task_pk] |= ties[one.pk] | {one.pk}
    return found


def _with_sheet(
    groups: Mapping[_Key, Sequence[Found]], *, any_version: bool = False
) -> dict[_Key, set[int]]:
    """Return group -> people with a sheet on one of its responses by the current rubric.

    Args:
        any_version: sheets by earlier rubrics count, too.
    """
    of_response = {one.pk: (key, one.version) for key, rows in groups.items() for one in rows}
    found: dict[_Key, set[int]] = defaultdict(set)
    for model in (Sheet, GradedSheet):
        sheets: QuerySet[Any] = model._default_manager.filter(
            response__in=of_response, user__isnull=False
        )
        for response, version, user in sheets.values_list("response_id", "version_id", "user_id"):
            key, counting = of_response[response]
            if any_version or version == counting:
                found[key].add(user)
    return found


def _who_flagged(groups: Mapping[_Key, Sequence[Found]]) -> dict[_Key, set[int]]:
    """Return group -> people who ever flagged a verdict on one of its responses. Two queries."""
    of_response = {one.pk: key for key, rows in groups.items() for one in rows}
    found: dict[_Key, set[int]] = defaultdict(set)
    for path in ("judgments__verdicts__flags__by", "sheets__lines__flags__by"):
        flagged = Response.objects.filter(pk__in=of_response, **{f"{path}__isnull": False})
        for response, user in flagged.values_list("pk", path).distinct():
            found[of_response[response]].add(user)
    return found


def domains_and_candidates() -> tuple[list[tuple[str, str]], list[str]]:
    """Return the (key, name) of each domain and the names of the candidates, for a filter."""
    names = Response.objects.filter(baseline=False).order_by("candidate__name")
    return (
        [(domain.key, str(domain)) for domain in Domain.objects.all()],
        list(names.values_list("candidate__name", flat=True).distinct()),
    )

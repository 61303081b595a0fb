"""Alignment sets as the staff's pages show them: progress, and agreement of the scorers."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from curation.domains.models import Domain
from curation.people.models import User
from curation.tasks.models import Task
from judge.agreement.queries import Row as AgreementRow
from judge.agreement.queries import overall_of, sentence
from judge.agreement.units import Kind, rulings, units_of
from judge.alignment_sets.models import AlignmentItem, AlignmentSet
from judge.sheets.models import Sheet
from rubrics.versions.queries import versions_that_count


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of a group's sheets: wanted, submitted (`done`) and open; the rest has no scorer."""

    name: str
    wanted: int = 0
    done: int = 0
    open: int = 0

    @property
    def nobody(self) -> int:
        return max(0, self.wanted - self.done - self.open)

    @property
    def segments(self) -> list[tuple[int, str]]:
        """The segments of the bar: submitted, open, without a scorer."""
        return [(self.done, "ink"), (self.open, "edge"), (self.nobody, "no")]


@dataclass(frozen=True, slots=True)
class SetRow:
    """A set as a row of the list."""

    set: AlignmentSet
    responses: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class Item:
    """One response of a set."""

    task: int
    title: str
    language: str
    task_key: str
    domain: str
    candidate: str
    key: str
    response: int
    done: int
    open: int
    wanted: int


@dataclass(frozen=True, slots=True)
class Scorer:
    """A scorer's sheets of a set. `minutes` is the time at work on submitted ones."""

    name: str
    done: int
    open: int
    minutes: int | None


@dataclass(frozen=True, slots=True)
class SetPage:
    """Everything the page of a set shows."""

    set: AlignmentSet
    total: Progress
    domains: tuple[Progress, ...]
    candidates: tuple[Progress, ...]
    items: tuple[Item, ...]
    scorers: tuple[Scorer, ...]
    agreement: AgreementRow

    @property
    def sentence(self) -> str:
        """How far the scorers of a response agree, as a sentence."""
        return sentence(Kind.SHEET, self.agreement)


def set_rows() -> list[SetRow]:
    """Return every set, the newest first. Five queries."""
    sets = list(AlignmentSet.objects.select_related("created_by"))
    items: dict[int, list[Item]] = defaultdict(list)
    for of_set, item in _items(sets):
        items[of_set].append(item)
    return [SetRow(one, len(items[one.pk]), _progress("", items[one.pk])) for one in sets]


def set_page(one: AlignmentSet) -> SetPage:
    """Prepare the page of a set: progress, scorers and their agreement."""
    items = tuple(item for _set, item in _items([one]))
    by_domain: dict[str, list[Item]] = defaultdict(list)
    by_candidate: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_domain[item.domain].append(item)
        by_candidate[item.candidate].append(item)
    tasks = Task.objects.filter(pk__in={item.task for item in items})
    responses = {item.response for item in items}
    units = [unit for unit in units_of(Kind.SHEET, tasks) if unit.response in responses]
    return SetPage(
        set=one,
        total=_progress("", items),
        domains=tuple(_progress(name, rows) for name, rows in sorted(by_domain.items())),
        candidates=tuple(_progress(name, rows) for name, rows in sorted(by_candidate.items())),
        items=items,
        scorers=_scorers(responses),
        agreement=overall_of(Kind.SHEET, units, rulings(Kind.SHEET, tasks)),
    )


def drawn_for_a_flag() -> "QuerySet[AlignmentItem, Any]":
    """Select the ids of responses that sets hold for a flagged verdict alone."""
    at_random = AlignmentItem.objects.filter(flagged=False)
    return (
        AlignmentItem.objects.filter(flagged=True)
        .exclude(response__in=at_random.values("response"))
        .values("response")
    )


def _progress(name: str, items: Sequence[Item]) -> Progress:
    return Progress(
        name,
        sum(item.wanted for item in items),
        sum(min(item.done, item.wanted) for item in items),
        sum(min(item.open, max(0, item.wanted - item.done)) for item in items),
    )


def _items(sets: Sequence[AlignmentSet]) -> list[tuple[int, Item]]:
    """Return (set, item) of these sets; only sheets by the current rubric count. Four queries."""
    wanted = {one.pk: one.scorers for one in sets}
    names = {domain.key: str(domain) for domain in Domain.objects.all()}
    rows = list(
        AlignmentItem.objects.filter(set__in=wanted)
        .order_by("id")
        .values_list(
            "set_id", "response_id", "response__key", "response__candidate__name", "domain",
            "response__task_id", "response__task__key", "response__task__title",
            "response__task__language", "response__text_version",
            "response__task__prompt_since",
        )
    )  # fmt: skip
    versions = {pk: v.pk for pk, v in versions_that_count({row[5] for row in rows}).items()}
    counts: Counter[tuple[int, str]] = Counter()
    sheets = Sheet.objects.filter(
        response__in=AlignmentItem.objects.filter(set__in=wanted).values("response"),
        kind=Sheet.Kind.EXPERT,
        purpose=Sheet.Purpose.ALIGNMENT,
    ).order_by()
    for response, task, version, state in sheets.values_list(
        "response_id", "response__task_id", "version_id", "state"
    ):
        if version == versions.get(task):
            counts[response, state] += 1
    return [
        (
            pk,
            Item(
                task=task,
                title=title or task_key,
                language=lang,
                task_key=task_key,
                domain=names.get(domain, domain),
                candidate=candidate,
                key=key,
                response=response,
                done=counts[response, Sheet.State.SUBMITTED],
                open=counts[response, Sheet.State.OPEN],
                wanted=wanted[pk] if texts[0] >= texts[1] else 0,  # an earlier text needs no scorer
            ),
        )
        for pk, response, key, candidate, domain, task, task_key, title, lang, *texts in rows
    ]


def _scorers(responses: set[int]) -> tuple[Scorer, ...]:
    done: Counter[int] = Counter()
    open_: Counter[int] = Counter()
    seconds: Counter[int] = Counter()
    rows: Any = Sheet.objects.filter(
        response__in=responses, purpose=Sheet.Purpose.ALIGNMENT, user__isnull=False
    ).order_by()
    for user, state, worked in rows.values_list("user_id", "state", "worked_seconds"):
        if state == Sheet.State.SUBMITTED:
            done[user] += 1
            seconds[user] += worked
        else:
            open_[user] += 1
    people = User.objects.in_bulk({*done, *open_})
    found = [
        Scorer(
            person.name_for_staff,
            done[pk],
            open_[pk],
            round(seconds[pk] / 60) if seconds[pk] else None,
        )
        for pk, person in people.items()
    ]
    return tuple(sorted(found, key=lambda row: row.name))

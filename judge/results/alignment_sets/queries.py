"""Alignment sets as the staff's pages show them: progress, and agreement of the scorers."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.base.figures.figures import format_share, format_with_interval
from judge.results.alignment_sets.models import AlignmentItem, AlignmentSet
from judge.scoring.agreement.queries import Row as AgreementRow
from judge.scoring.agreement.queries import overall_of, sentence
from judge.scoring.agreement.units import Kind, rulings, units_of
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.graded_sheets.queries import experts_graded_sheets
from judge.scoring.sheets.models import Sheet
from rubrics.versions.queries import versions_that_count

if TYPE_CHECKING:
    from judge.base.stats.grades import GradeReport


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
    pk: int
    flagged: bool
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
    grades: "GradeReport | None"  # None in a set that is scored line by line

    @property
    def sentence(self) -> str:
        """How far the scorers of a response agree, as a sentence."""
        if self.grades is not None:
            return _grade_sentence(self.grades)
        return sentence(Kind.SHEET, self.agreement)


def _grade_sentence(report: "GradeReport") -> str:
    if not report.pairs:
        return _("No response has been graded by two people yet.")
    return _(
        "Two people who graded the same response gave the same grade in %(same)s of cases and at "
        "most one step apart in %(near)s; weighted κ %(kappa)s."
    ) % {
        "same": format_share(report.values["exact"]),
        "near": format_share(report.values["within_one"]),
        "kappa": format_with_interval(
            report.values["kappa"], report.ci95["kappa"], report.why, "kappa"
        ),
    }


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
    flagged = {item.response for item in items if item.flagged}
    return SetPage(
        set=one,
        total=_progress("", items),
        domains=tuple(_progress(name, rows) for name, rows in sorted(by_domain.items())),
        candidates=tuple(_progress(name, rows) for name, rows in sorted(by_candidate.items())),
        items=items,
        scorers=_scorers(items, one.form),
        agreement=overall_of(Kind.SHEET, units, rulings(Kind.SHEET, tasks), flagged),
        grades=_grade_agreement(items) if one.form == AlignmentSet.Form.GRADE else None,
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
            "pk", "set_id", "response_id", "response__key", "response__candidate__name", "domain",
            "response__task_id", "response__task__key", "response__task__title",
            "response__task__language", "flagged", "response__text_version",
            "response__task__prompt_since",
        )
    )  # fmt: skip
    versions = {pk: v.pk for pk, v in versions_that_count({row[6] for row in rows}).items()}
    form_of = {one.pk: one.form for one in sets}
    # By form, response, the item for a flag that asked for it, and state.
    counts: Counter[tuple[str, int, int | None, str]] = Counter()
    for form in {one.form for one in sets}:
        drawn = AlignmentItem.objects.filter(set__in=wanted).values("response")
        for response, task, version, item, state in sheets_on(drawn, form).values_list(
            "response_id", "response__task_id", "version_id", "flagged_item", "state"
        ):
            if version == versions.get(task):
                counts[form, response, item, state] += 1

    def number(of_set: int, response: int, item: int | None, state: str) -> int:
        return counts[form_of[of_set], response, item, state]

    return [
        (
            of_set,
            Item(
                task=task,
                title=title or task_key,
                language=lang,
                task_key=task_key,
                domain=names.get(domain, domain),
                candidate=candidate,
                key=key,
                response=response,
                pk=pk,
                flagged=flagged,
                done=number(of_set, response, pk if flagged else None, Sheet.State.SUBMITTED),
                open=number(of_set, response, pk if flagged else None, Sheet.State.OPEN),
                # An earlier text needs no scorer.
                wanted=wanted[of_set] if texts[0] >= texts[1] else 0,
            ),
        )
        for (
            pk, of_set, response, key, candidate, domain, task, task_key, title, lang, flagged,
            *texts,
        ) in rows
    ]  # fmt: skip


def sheets_on(responses: Any, form: str) -> "QuerySet[Any]":
    """Return the experts' sheets of a form on some responses, open and submitted.

    Both kinds of sheets have the columns `user`, `state`, `version` and `worked_seconds`.
    """
    if form == AlignmentSet.Form.GRADE:
        graded = GradedSheet.objects.filter(
            response__in=responses, kind=GradedSheet.Kind.EXPERT, user__isnull=False
        )
        return graded.order_by()
    return Sheet.objects.filter(
        response__in=responses, kind=Sheet.Kind.EXPERT, purpose=Sheet.Purpose.ALIGNMENT
    ).order_by()


def _asked_by(items: Sequence[Item]) -> Q:
    """Return the condition that a sheet is one of those which items of a set ask for."""
    for_flags = [item.pk for item in items if item.flagged]
    others = [item.response for item in items if not item.flagged]
    return Q(flagged_item__in=for_flags) | Q(response__in=others, flagged_item__isnull=True)


def _grade_agreement(items: Sequence[Item]) -> "GradeReport":
    """Return how far the scorers of the same responses agree in their grades."""
    from judge.base.stats.grades import both_directions, grade_report  # loads numpy

    given: dict[int, dict[str, int]] = defaultdict(dict)
    task_of: dict[int, int] = {}
    rows = experts_graded_sheets().filter(_asked_by(items), user__isnull=False)
    for response, task, rater, grade in rows.values_list(
        "response_id", "response__task_id", "rater", "grade"
    ):
        assert grade is not None  # of a submitted sheet
        given[response][rater] = grade
        task_of[response] = task
    return grade_report(
        both_directions((task_of[pk], grades) for pk, grades in sorted(given.items()))
    )


def _scorers(items: Sequence[Item], form: str) -> tuple[Scorer, ...]:
    done: Counter[int] = Counter()
    open_: Counter[int] = Counter()
    seconds: Counter[int] = Counter()
    drawn = [item.response for item in items]
    rows: Any = sheets_on(drawn, form).filter(_asked_by(items), user__isnull=False)
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

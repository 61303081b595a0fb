"""Practice as pages show it: what a scorer can do, what they did, and what staff chose."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Response
from judge.scoring.pages.sheet_page import SheetPage
from judge.scoring.practice.actions import left_for
from judge.scoring.practice.known_results import verdicts_of
from judge.scoring.practice.known_verdicts import known_in
from judge.scoring.scorers.policy import policy_for
from judge.scoring.scorers.practice_models import PracticeAttempt, PracticeLine, PracticeSheet
from judge.scoring.scorers.readiness import PAUSED, held_up
from judge.scoring.sheets.models import Sheet
from rubrics.versions.queries import version_ids_that_count


@dataclass(frozen=True, slots=True)
class Offer:
    """What keeps a scorer from new sheets in a domain, and what they can do.

    Attributes:
        open: id of their open practice sheet; None without one.
        done: their last submitted practice sheet there; None before the first.
        left: whether a practice sheet is left for them.
        share: percent of lines that have to agree; 0 for no rule.
    """

    domain: Domain
    paused: bool
    open: int | None
    done: PracticeAttempt | None
    left: bool
    share: int


def offers(user: Any) -> list[Offer]:
    """Return the domains in which a person practises first or is paused, by their order.

    Two or three queries where there is none.
    """
    domains = user.qualified_domain_ids()
    held = held_up([(user.pk, domain) for domain in domains])
    if not held:
        return []
    found = []
    for domain in Domain.objects.filter(pk__in=[domain for _user, domain in held]):
        mine = list(
            PracticeAttempt.objects.filter(user=user, practice_sheet__domain=domain).select_related(
                "sheet"
            )
        )
        done = [one for one in mine if one.passed is not None]
        opened = [one.sheet_id for one in mine if one.ended_at is None]
        found.append(
            Offer(
                domain=domain,
                paused=held[user.pk, domain.pk] == PAUSED,
                open=opened[0] if opened else None,
                done=done[-1] if done else None,
                left=bool(left_for(user, domain.pk)),
                share=policy_for(domain.pk).practice_share,
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class PracticedLine:
    """A line as its scorer and those before agreed on it.

    `agreed` is None, and nothing compared, where the line was reworded meanwhile.
    """

    n: int
    text: str
    met: bool | None
    why: str
    agreed: bool | None
    explanation: str

    @property
    def same(self) -> bool | None:
        return None if self.agreed is None else self.met == self.agreed


def practiced_lines(page: SheetPage, attempt: PracticeAttempt) -> list[PracticedLine]:
    """Return the lines of a submitted practice sheet beside what was agreed. One query."""
    agreed = {
        (line.criterion.key, line.criterion.text): line
        for line in PracticeLine.objects.filter(
            practice_sheet=attempt.practice_sheet_id
        ).select_related("criterion")
    }
    found = []
    for line in page.lines:
        told = agreed.get((line.key, line.text))
        found.append(
            PracticedLine(
                n=line.n,
                text=line.text,
                met=line.met,
                why=line.rationale,
                agreed=told.met if told else None,
                explanation=told.explanation if told else "",
            )
        )
    return found


# --- staff ----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class PracticeRow:
    """A practice sheet in staff's list.

    Attributes:
        fits: whether the rubric that counts still has the version it was chosen by.
        passed, failed, open: attempts.
    """

    practice_sheet: PracticeSheet
    title: str
    language: str
    candidate: str
    lines: int
    explained: int
    passed: int
    failed: int
    open: int
    fits: bool


def practice_rows(domain: int) -> list[PracticeRow]:
    """Return the practice sheets of a domain, those in use first. Two queries."""
    rows = list(
        PracticeSheet.objects.filter(domain=domain)
        .select_related("response__task", "response__candidate")
        .annotate(
            all_lines=Count("lines", distinct=True),
            explained=Count("lines", filter=~Q(lines__explanation=""), distinct=True),
            passed=Count("attempts", filter=Q(attempts__passed=True), distinct=True),
            failed=Count("attempts", filter=Q(attempts__passed=False), distinct=True),
            under_way=Count("attempts", filter=Q(attempts__ended_at__isnull=True), distinct=True),
        )
        .order_by("-retired_at", "pk")
    )
    counting = version_ids_that_count({row.response.task_id for row in rows})
    found = [
        PracticeRow(
            practice_sheet=row,
            title=row.response.task.title or row.response.task.key,
            language=row.response.task.language,
            candidate=row.response.candidate.name,
            lines=row.all_lines,
            explained=row.explained,
            passed=row.passed,
            failed=row.failed,
            open=row.under_way,
            fits=counting.get(row.response.task_id) == row.version_id,
        )
        for row in rows
    ]
    return sorted(found, key=lambda row: row.practice_sheet.retired_at is not None)


@dataclass(frozen=True, slots=True)
class Choice:
    """A response with known verdicts that can become a practice sheet."""

    response: Response
    source: str
    lines: int
    true: int


def choices(domain: int) -> list[Choice]:
    """Return the responses of a domain that can become practice sheets, by task."""
    known = {one.response: one for one in known_in(domain)}
    rows = (
        Response.objects.filter(pk__in=known, practice_sheet__isnull=True)
        .select_related("task", "candidate")
        .defer("text")
        .order_by("task__title", "task__key", "pk")
    )
    return [
        Choice(row, known[row.pk].source, len(known[row.pk].met), sum(known[row.pk].met.values()))
        for row in rows
    ]


def said_on(practice_sheet: PracticeSheet) -> dict[int, tuple[int, int]]:
    """Return line -> (scorers who agreed, scorers) over the submitted practice. Three queries."""
    sheets = Sheet.objects.filter(
        practice_attempt__practice_sheet=practice_sheet, state=Sheet.State.SUBMITTED
    )
    said: Sequence[dict[tuple[str, str], bool]] = list(
        verdicts_of(list(sheets.values_list("pk", flat=True))).values()
    )
    found = {}
    for line in practice_sheet.lines.select_related("criterion"):
        words = (line.criterion.key, line.criterion.text)
        given = [one[words] for one in said if words in one]
        found[line.pk] = (sum(met == line.met for met in given), len(given))
    return found

"""What the pages and exports of error codes read."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from curation.joining.domains.models import Domain
from judge.asking.candidates.earlier_text import answers_earlier_text
from judge.asking.candidates.models import Response
from judge.base.gold_sets.task_sets import closed_of
from judge.results.flags.error_code_models import CodedError, ErrorCode
from judge.runs.engine.models import Verdict
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion
from rubrics.versions.queries import version_ids_that_count


def domains_with_codes() -> list[Domain]:
    """Return the domains with their numbers: codes in use, retired, errors that count."""
    found = Counter(counting_errors().values_list("code__domain", flat=True))
    domains: list[Domain] = list(
        Domain.objects.filter(external=False)
        .annotate(
            in_use=Count("error_codes", Q(error_codes__retired_at__isnull=True), distinct=True),
            retired=Count("error_codes", Q(error_codes__retired_at__isnull=False), distinct=True),
        )
        .order_by("position", "key")
    )
    for domain in domains:
        domain.errors = found[domain.pk]  # type: ignore[attr-defined]
    return domains


def codes_of(domain: Domain) -> list[ErrorCode]:
    """Return the codes of a domain, those in use first, with the number of errors that count."""
    mine = counting_errors().filter(code__domain=domain)
    found = Counter(mine.values_list("code", flat=True))
    codes = list(ErrorCode.objects.filter(domain=domain))
    for code in codes:
        code.errors = found[code.pk]  # type: ignore[attr-defined]
    return sorted(codes, key=lambda code: (code.retired_at is not None, code.pk))


@dataclass
class CodedLine:
    """A line of a response's rubric, with who says what of it and the errors coded on it."""

    n: int
    criterion: Criterion
    unmet_by: list[tuple[str, str]]  # who, why
    differ: list[int]  # runs that decide it otherwise than an expert
    errors: list[CodedError]


def lines_of(response: Response) -> list[CodedLine]:
    """Return the lines of the rubric that counts, each with verdicts and errors. Six queries."""
    version = version_ids_that_count([response.task_id]).get(response.task_id)
    errors: dict[int | None, list[CodedError]] = defaultdict(list)
    for error in errors_of(response):
        errors[error.criterion_id].append(error)
    sheets = SheetLine.objects.filter(
        sheet__response=response,
        sheet__kind=Sheet.Kind.EXPERT,
        sheet__state=Sheet.State.SUBMITTED,
        sheet__version=version,
    ).select_related("sheet__user")
    experts: dict[int, list[SheetLine]] = defaultdict(list)
    for said in sheets:
        experts[said.criterion_id].append(said)
    verdicts = Verdict.objects.filter(
        judgment__response=response,
        judgment__run__isnull=False,
        criterion__version=version,
        outcome__in=("met", "unmet"),
    ).select_related("judgment")
    judges: dict[int, list[Verdict]] = defaultdict(list)
    for verdict in verdicts.order_by("-judgment__run_id"):
        judges[verdict.criterion_id].append(verdict)
    found = []
    criteria = Criterion.objects.filter(version=version).order_by("position", "id")
    for n, line in enumerate(criteria if version else (), start=1):
        by_experts = [(_name(s), s.rationale) for s in experts[line.pk] if s.met is False]
        by_judges = [
            (f"#{v.judgment.run_id}", v.why) for v in judges[line.pk] if v.outcome == "unmet"
        ]
        said_by_experts = {s.met for s in experts[line.pk]} - {None}
        # Experts go before judges: where one has decided, no judge is quoted.
        said_unmet = by_experts if said_by_experts else by_judges[:1]
        differing = [
            v.judgment.run_id
            for v in judges[line.pk]
            if (v.outcome != "met") in said_by_experts and v.judgment.run_id
        ]
        found.append(CodedLine(n, line, said_unmet, differing, errors[line.pk]))
    return found


def _name(line: SheetLine) -> str:
    return line.sheet.user.pseudonym if line.sheet.user else line.sheet.rater


def errors_of(response: Response) -> list[CodedError]:
    """Return what is coded or proposed, with what was dismissed or taken back."""
    rows = CodedError.objects.filter(response=response)
    return list(rows.select_related("code", "by", "decided_by", "criterion").order_by("id"))


# --- the report -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Cell:
    """How many responses of a candidate have a code, out of those that were coded."""

    n: int
    of: int

    @property
    def percent(self) -> float | None:
        return 100 * self.n / self.of if self.of else None


@dataclass(frozen=True)
class Report:
    """Failure modes by candidate in one domain.

    Attributes:
        codes: the columns: codes in use, and retired ones that something has.
        rows: (candidate, responses with at least one code, responses that people looked at, cells).
        disagreements: code -> number of disagreements between judge and expert that it explains.
        open: proposals that wait for a person.
    """

    codes: list[ErrorCode]
    rows: list[tuple[str, int, int, list[Cell]]]
    disagreements: list[tuple[ErrorCode, int]]
    open: int

    @property
    def sentence(self) -> str:
        """The finding that stands on top of the page."""
        if not self.codes:
            return _("This domain has no failure modes yet.")
        sums = [sum(cells[n].n for *_row, cells in self.rows) for n in range(len(self.codes))]
        whole = sum(of for _name, _n, of, _cells in self.rows)
        if not any(sums):
            return _("No response of this domain has an error code yet.")
        most = max(range(len(sums)), key=lambda n: sums[n])
        return _("The most frequent failure mode is “%(name)s”: %(n)s of %(of)s responses.") % {
            "name": self.codes[most],
            "n": sums[most],
            "of": whole,
        }


def _shown() -> Any:
    """Select the errors that may be counted: not of baselines, stale responses, closed halves."""
    return (
        CodedError.objects.filter(response__baseline=False)
        .exclude(answers_earlier_text("response__"))
        .exclude(closed_of("response__task"))
    )


def counting_errors() -> Any:
    """Select the errors that count in results: not of baselines, stale responses, closed halves."""
    return _shown().filter(state=CodedError.State.COUNTS)


def report(domain: Domain) -> Report:
    """Return the table of a domain. Five queries.

    A response was looked at if somebody coded it, or submitted an expert's sheet on it.
    """
    errors = list(
        counting_errors()
        .filter(code__domain=domain)
        .values_list("response_id", "response__candidate__name", "code_id", "run_id")
    )
    mine = [row for row in errors if row[3] is None]
    of_run = Counter(row[2] for row in errors if row[3] is not None)
    looked: dict[str, set[int]] = defaultdict(set)
    for response, candidate in _looked_at(domain, {row[0] for row in errors}):
        looked[candidate].add(response)
    used = {row[2] for row in errors}
    codes = [
        code
        for code in ErrorCode.objects.filter(domain=domain)
        if code.retired_at is None or code.pk in used
    ]
    having: dict[tuple[str, int], set[int]] = defaultdict(set)
    for response, candidate, code, _run in mine:
        having[candidate, code].add(response)
    rows = []
    for candidate, responses in looked.items():
        cells = [Cell(len(having[candidate, code.pk]), len(responses)) for code in codes]
        any_code = {r for (name, _c), found in having.items() if name == candidate for r in found}
        rows.append((candidate, len(any_code), len(responses), cells))
    rows.sort(key=lambda row: (-row[1] / row[2], row[0]))
    waiting = _shown().filter(state=CodedError.State.PROPOSED, code__domain=domain)
    return Report(
        codes=codes,
        rows=rows,
        disagreements=[(code, of_run[code.pk]) for code in codes if of_run[code.pk]],
        open=waiting.count(),
    )


def _looked_at(domain: Domain, coded: Collection[int]) -> Iterable[tuple[int, str]]:
    responses = (
        Response.objects.filter(task__domain=domain, baseline=False)
        .exclude(answers_earlier_text())
        .exclude(closed_of("task"))
    )
    scored = Sheet.objects.filter(
        kind=Sheet.Kind.EXPERT, state=Sheet.State.SUBMITTED, response__task__domain=domain
    )
    found = responses.filter(Q(pk__in=list(coded)) | Q(pk__in=scored.values("response_id")))
    return found.values_list("pk", "candidate__name")


def exported_errors(tasks: Collection[int] | None = None) -> list[dict[str, Any]]:
    """Return the errors that count as plain values, by task and response; without people.

    Args:
        tasks: only on responses to these tasks; None for all.
    """
    rows = counting_errors().select_related("code__domain", "criterion", "response__task")
    if tasks is not None:
        rows = rows.filter(response__task__in=tasks)
    return [
        {
            "task": row.response.task.key,
            "response": row.response.key,
            "criterion": row.criterion.key if row.criterion else None,
            "domain": row.code.domain.key,
            "code": row.code.key,
            "name": row.code.name,
            "about": "response" if row.run_id is None else "disagreement",
            "run": row.run_id,
            "reason": row.reason,
            "proposed_by": row.model or None,
        }
        for row in rows.order_by("response__task__key", "response__key", "id")
    ]

"""The agreement among experts: overall, by domain, by dimension and by task."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.text.wording import sentences
from curation.joining.domains.models import Domain
from curation.tasks.task.models import Task
from judge.base.figures.figures import format_number, format_share
from judge.base.stats.agreement import AgreementReport, agreement_of
from judge.base.stats.numbers import Reason
from judge.scoring.agreement.models import Adjudication
from judge.scoring.agreement.units import Kind, RulingKey, Unit, rulings, tasks_open_to, units_of
from rubrics.policy.dimensions import Dimension

HEAD = (
    "kind", "group", "name", "lines", "readers", "percent", "kappa", "alpha", "disputed",
    "came_together", "ruled", "open", "why_percent", "why_kappa", "why_alpha",
)  # fmt: skip

_REASON_TEXTS = {
    Reason.NO_OVERLAP: gettext_lazy("no line was judged by two people"),
    Reason.NOT_TWO_RATERS: gettext_lazy("more than two people judged these lines; see α"),
    Reason.ONE_CLASS: gettext_lazy("everybody gave one and the same verdict throughout"),
}


def reason_text(why: Reason | None) -> str:
    """Return the text that says why a figure is undefined; "" if it is defined."""
    return str(_REASON_TEXTS.get(why, why)) if why else ""


@dataclass(frozen=True, slots=True)
class Row:
    """The agreement over some lines and the counts of their disputes.

    Attributes:
        key: the key of the domain or dimension, the id of the task, or "" overall.
        disputed_for_flags: disputes that are there only because a flag asked another expert.
        judged_twice: lines judged by two people, those that only a flag asked again included.
        came_together: disputes in which the last verdicts agree.
        ruled: other disputes on which a senior ruled.
        open: disputes that wait for a ruling.
    """

    key: str
    name: str
    report: AgreementReport
    disputed: int
    disputed_for_flags: int
    judged_twice: int
    came_together: int
    ruled: int
    open: int
    task: Task | None = None

    @property
    def percent(self) -> str:
        return format_share(self.report.percent)

    @property
    def kappa(self) -> str:
        return format_number(self.report.kappa)

    @property
    def alpha(self) -> str:
        return format_number(self.report.alpha)

    @property
    def no_kappa(self) -> str:
        return reason_text(self.report.why.get("kappa"))

    @property
    def no_alpha(self) -> str:
        return reason_text(self.report.why.get("alpha"))

    def as_cells(self, kind: str, group: str) -> tuple[Any, ...]:
        """Return one row of the file, in the order of HEAD."""
        plain = self.report.as_dict()
        why = plain["why"]
        return (
            kind, group, self.name, plain["units"], plain["raters"],
            *("" if plain[name] is None else plain[name] for name in ("percent", "kappa", "alpha")),
            self.disputed, self.came_together, self.ruled, self.open,
            *(why.get(name, "") for name in ("percent", "kappa", "alpha")),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Report:
    """The agreement on one kind of verdicts, over the tasks one person may read."""

    kind: str
    overall: Row
    domains: tuple[Row, ...]
    dimensions: tuple[Row, ...]
    tasks: tuple[Row, ...]

    @property
    def sentence(self) -> str:
        return sentence(self.kind, self.overall)

    def cells(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of the file, in the order of HEAD."""
        yield self.overall.as_cells(self.kind, "all")
        for group, rows in (
            ("domain", self.domains),
            ("dimension", self.dimensions),
            ("task", self.tasks),
        ):
            for row in rows:
                yield row.as_cells(self.kind, group)


def report(user: Any, kind: str, domain: Domain | None = None) -> Report:
    """Return the agreement over the tasks a person may read. Five queries.

    Args:
        kind: the kind of verdicts, "review" or "sheet".
        domain: the domain to keep; None for all.
    """
    scope = tasks_open_to(user)
    if domain is not None:
        scope = scope.filter(domain=domain)
    units = units_of(kind, scope)
    ruled = rulings(kind, scope)
    tasks = {
        task.pk: task
        for task in Task.objects.filter(pk__in={unit.task for unit in units})
        .select_related("domain")
        .only("key", "title", "language", "domain__key", "domain__name", "domain__name_zh")
    }
    by_task = _rows(units, ruled, lambda unit: str(unit.task))
    return Report(
        kind=kind,
        overall=_row("", "", units, ruled),
        domains=_named(
            _rows(units, ruled, lambda unit: tasks[unit.task].domain.key),
            {task.domain.key: str(task.domain) for task in tasks.values()},
        ),
        dimensions=_named(
            _rows(units, ruled, lambda unit: unit.dimension),
            {key: str(label) for key, label in Dimension.choices},
        ),
        tasks=tuple(
            sorted(
                (_of_task(row, tasks[int(row.key)]) for row in by_task),
                key=lambda row: (-row.open, -row.disputed, row.name),
            )
        ),
    )


def _rows(
    units: Iterable[Unit], ruled: Mapping[RulingKey, Adjudication], group: Callable[[Unit], str]
) -> list[Row]:
    groups: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        groups[group(unit)].append(unit)
    return [_row(key, key, inside, ruled) for key, inside in groups.items()]


def _row(
    key: str,
    name: str,
    units: list[Unit],
    ruled: Mapping[RulingKey, Adjudication],
    flagged: Collection[int] = (),
) -> Row:
    disputes = [
        unit
        for unit in units
        if (unit.disputed_among(for_flags=True) if unit.response in flagged else unit.disputed)
    ]
    apart = [unit for unit in disputes if not unit.came_together]
    settled = sum(unit.ruling_key in ruled for unit in apart)
    return Row(
        key=key,
        name=name,
        report=agreement_of(
            Counter(unit.pattern(for_flags=unit.response in flagged) for unit in units)
        ),
        disputed=len(disputes),
        disputed_for_flags=sum(
            not unit.disputed_among(for_flags=unit.response in flagged) for unit in disputes
        ),
        judged_twice=len(units),
        came_together=len(disputes) - len(apart),
        ruled=settled,
        open=len(apart) - settled,
    )


def _named(rows: Iterable[Row], names: Mapping[str, str]) -> tuple[Row, ...]:
    named = (replace(row, name=names.get(row.key, row.key)) for row in rows)
    return tuple(sorted(named, key=lambda row: row.name))


def _of_task(row: Row, task: Task) -> Row:
    return replace(row, name=task.title or task.key, task=task)


def overall_of(
    kind: str,
    units: list[Unit],
    ruled: Mapping[RulingKey, Adjudication],
    flagged: Collection[int] = (),
) -> Row:
    """Return the agreement over these lines as one row.

    Args:
        flagged: responses on which those whom a flag asked are compared, not the others.
    """
    return _row("", "", units, ruled, flagged)


def sentence(kind: str, row: Row) -> str:
    """Return the figures of a row in sentences, with the reason for an undefined one."""
    return sentences([*_figures(kind, row), *_disputes(row)])


def _figures(kind: str, row: Row) -> list[str]:
    found = row.report
    if not found.units:
        if kind == Kind.REVIEW:
            return [
                _("No line has been judged by two reviewers yet, so there is nothing to compare.")
            ]
        if row.judged_twice:
            return [
                _(
                    "Two experts have scored the same line only where a flag asked for it, so "
                    "there is no figure for their agreement yet."
                )
            ]
        return [_("No line of a response has been scored by two experts yet.")]
    lines = ngettext("%(n)s line", "%(n)s lines", found.units) % {"n": f"{found.units:,}"}
    texts = [
        _("Of %(lines)s judged by more than one person, %(percent)s of the pairs agree.")
        % {"lines": lines, "percent": row.percent}
    ]
    if found.alpha is None:
        texts.append(_("α is undefined: %(why)s.") % {"why": row.no_alpha})
    elif found.kappa is None:
        texts.append(_("Beyond chance: α %(alpha)s.") % {"alpha": row.alpha})
    else:
        texts.append(
            _("Beyond chance: κ %(kappa)s, α %(alpha)s.") % {"kappa": row.kappa, "alpha": row.alpha}
        )
    return texts


def _disputes(row: Row) -> list[str]:
    if not row.disputed:
        return []
    texts = [
        ngettext(
            "%(n)s line is disputed: %(together)s came together, %(ruled)s ruled by a senior, "
            "%(open)s open.",
            "%(n)s lines are disputed: %(together)s came together, %(ruled)s ruled by a "
            "senior, %(open)s open.",
            row.disputed,
        )
        % {
            "n": f"{row.disputed:,}",
            "together": row.came_together,
            "ruled": row.ruled,
            "open": row.open,
        }
    ]
    if row.disputed_for_flags and row.report.units:
        texts.append(
            ngettext(
                "%(n)s of these disputes is with an expert whom a flag asked, who is not in the "
                "figures.",
                "%(n)s of these disputes are with experts whom a flag asked, who are not in the "
                "figures.",
                row.disputed_for_flags,
            )
            % {"n": f"{row.disputed_for_flags:,}"}
        )
    return texts

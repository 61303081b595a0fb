"""Import of a work map from a table: all rows or none, every fault with its line and column."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.web.fields import FIRST, LAST
from curation.base.web.refusals import BadInput
from curation.joining.domains.models import Category, Domain
from curation.tasks.work_map.actions import (
    FACTS,
    VALUES,
    Kind,
    key_of,
    lock_map,
    plain,
    record,
    tidy,
)
from curation.tasks.work_map.models import WorkMap, WorkType
from curation.tasks.work_map.rules import (
    facts_problems,
    read_bins,
    share_problem,
    work_type_problems,
)
from curation.tasks.work_map.table import read_table

_YES_NO = {"": None, "yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
_TEXTS = ("name", "name_zh", "simulation", "interview_source")
_FACT_TEXTS = ("market_currency", "market_source")


@dataclass(frozen=True)
class Outcome:
    """The result of an import, in numbers of work types; `facts`: domains with changed facts."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    facts: int = 0


@dataclass
class _Faults:
    file: str
    found: list[tuple[int, str, str]] = field(default_factory=list)

    def add(self, line: int, column: str, sentence: Any) -> None:
        self.found.append((line, column, str(sentence)))

    def refuse(self) -> None:
        if self.found:
            lines = sorted(self.found, key=lambda fault: fault[0])
            raise BadInput(
                "\n".join(f"{self.file}:{line}: {name}: {text}" for line, name, text in lines),
                code="file_refused",
            )


@dataclass
class _Row:
    """A row of the file with its readable values; columns the file lacks are not in `values`."""

    line: int
    domain: Domain
    category: Category
    key: str
    values: dict[str, Any]
    facts: dict[str, Any]
    retired: bool | None


@transaction.atomic
def import_work_map(path: str | Path, *, dry_run: bool = False) -> Outcome:
    """Import a table of work types, completely or not at all. The same file again changes nothing.

    Rows are told apart by domain and key (the column `work_type`; without it the key comes from
    the name). The order of the rows is the order of the map. Work types that the file does not
    name, and columns it does not have, stay as they are.

    Args:
        dry_run: whether to roll everything back at the end.

    Raises:
        BadInput: the file has faults; the sentence has a line "FILE:LINE: column: what" for each.
    """
    faults = _Faults(str(path))
    rows = [
        row for line, cells in read_table(path) if (row := _read(line, cells, faults)) is not None
    ]
    rows = _without_repetitions(rows, faults)
    _check_facts(rows, faults)
    added = changed = unchanged = facts = 0
    by_domain: dict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        by_domain[row.domain.pk].append(row)
    for group in by_domain.values():
        work_map = lock_map(group[0].domain)
        known = {w.key: w for w in WorkType.objects.filter(domain=work_map.domain)}
        for place, row in enumerate(group, start=1):
            stored = known.get(row.key)
            done = _store(work_map, stored, row, place, faults, by=None)
            added += done == Kind.ADDED
            changed += done == Kind.CHANGED
            unchanged += done == ""
        _check_shares(work_map.domain, group, faults)
        facts += _store_facts(work_map, group[0].facts, by=None)
    faults.refuse()  # inside the transaction, which takes back what was stored above
    if dry_run:
        transaction.set_rollback(True)
    return Outcome(added, changed, unchanged, facts)


# --- reading ------------------------------------------------------------------------------------
def _read(line: int, cells: Mapping[str, str], faults: _Faults) -> _Row | None:
    before = len(faults.found)
    domain = Domain.objects.filter(key=cells["domain"], external=False).first()
    if domain is None:
        faults.add(line, "domain", _("There is no domain with the key “%s”.") % cells["domain"])
    category = _category(line, domain, cells, faults) if domain else None
    key = cells.get("work_type") or key_of(cells["name"])
    if not key or key != key_of(key):
        faults.add(
            line,
            "work_type" if cells.get("work_type") else "name",
            _("A key has letters, digits and hyphens, in lower case."),
        )
    values: dict[str, Any] = {name: cells[name] for name in _TEXTS if name in cells}
    values |= _numbers(line, cells, faults, ("share",), ("importance", "interviews"))
    for name in ("feasible", "evaluable", "retired"):
        if name in cells:
            if cells[name].lower() not in _YES_NO:
                faults.add(line, name, _("Write yes or no, or leave it empty."))
            else:
                values[name] = _YES_NO[cells[name].lower()]
    retired = values.pop("retired", None)
    if "interviewed_on" in cells:
        values["interviewed_on"] = _day(line, cells["interviewed_on"], faults)
    facts = _facts(line, cells, faults)
    if domain is None or category is None or len(faults.found) > before:
        return None
    return _Row(line, domain, category, key, values, facts, retired)


def _category(
    line: int, domain: Domain, cells: Mapping[str, str], faults: _Faults
) -> Category | None:
    """Return the category; one that is not there yet is made where the file gives its name."""
    key, name = cells["category"], cells.get("category_name", "")
    found = Category.objects.filter(domain=domain, key=key).first()
    if found is not None:
        return found
    if not key or key != key_of(key):
        faults.add(line, "category", _("A key has letters, digits and hyphens, in lower case."))
    elif not name:
        sentence = _(
            "The domain has no category with the key “%s”. Give its name in the column "
            "category_name to add it."
        )
        faults.add(line, "category", sentence % key)
    elif problem := storable.problem_with_name(name, limit=120):
        faults.add(line, "category_name", problem)
    else:
        name_zh = cells.get("category_name_zh", "")[:120]
        return Category.objects.create(domain=domain, key=key, name=name, name_zh=name_zh)
    return None


def _numbers(
    line: int,
    cells: Mapping[str, str],
    faults: _Faults,
    amounts: tuple[str, ...],
    whole: tuple[str, ...],
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in amounts:
        if name in cells:
            try:
                found[name] = Decimal(cells[name]) if cells[name] else None
                if found[name] is not None and not found[name].is_finite():
                    raise InvalidOperation
            except InvalidOperation:
                faults.add(line, name, _("“%s” is no number.") % cells[name][:40])
    for name in whole:
        if name in cells:
            found[name] = storable.whole_number(cells[name], digits=9) if cells[name] else None
            if cells[name] and found[name] is None:
                faults.add(line, name, _("“%s” is no whole number.") % cells[name][:40])
    return found


def _day(line: int, typed: str, faults: _Faults) -> date | None:
    if not typed:
        return None
    try:
        day = date.fromisoformat(typed)
        if FIRST <= day <= LAST:
            return day
    except ValueError:
        pass
    faults.add(line, "interviewed_on", _("Write the day as 2026-11-25."))
    return None


def _facts(line: int, cells: Mapping[str, str], faults: _Faults) -> dict[str, Any]:
    found: dict[str, Any] = {name: cells[name] for name in _FACT_TEXTS if name in cells}
    found |= _numbers(line, cells, faults, ("market_size",), ("market_year", "reverify_days"))
    if found.get("reverify_days", 0) is None:  # empty: as it is
        del found["reverify_days"]
    if cells.get("time_bins"):
        found["time_bins"] = read_bins(cells["time_bins"])
    return found


# --- checks over several rows -------------------------------------------------------------------
def _without_repetitions(rows: list[_Row], faults: _Faults) -> list[_Row]:
    """Add a fault for each work type that stands in the file twice; return the first of each."""
    seen: dict[tuple[int, str], int] = {}
    for row in rows:
        first = seen.setdefault((row.domain.pk, row.key), row.line)
        if first != row.line:
            faults.add(
                row.line,
                "work_type",
                _("This work type stands in line %(line)s already.") % {"line": first},
            )
    return [row for row in rows if seen[row.domain.pk, row.key] == row.line]


def _check_facts(rows: list[_Row], faults: _Faults) -> None:
    """Refuse facts of a domain that differ between its rows."""
    first: dict[int, _Row] = {}
    for row in rows:
        before = first.setdefault(row.domain.pk, row)
        for name, value in row.facts.items():
            if before.facts.get(name) != value:
                faults.add(
                    row.line,
                    name,
                    _("It differs from line %(line)s; a domain has it once.")
                    % {"line": before.line},
                )
    for row in first.values():
        held = WorkMap.objects.filter(domain=row.domain).first() or WorkMap(domain=row.domain)
        facts = {name: getattr(held, name) for name in FACTS} | row.facts
        for name, sentences in facts_problems(facts).items():
            faults.add(row.line, name, sentences[0])


def _check_shares(domain: Domain, rows: list[_Row], faults: _Faults) -> None:
    active = WorkType.objects.filter(domain=domain, retired_at__isnull=True)
    if sentence := share_problem(active.values_list("share", flat=True)):
        faults.add(rows[-1].line, "share", sentence)


# --- storing ------------------------------------------------------------------------------------
def _store(
    work_map: WorkMap, stored: WorkType | None, row: _Row, place: int, faults: _Faults, *, by: Any
) -> str:
    """Store a row; return what was done, empty for nothing."""
    held = stored or WorkType(domain=work_map.domain, category=row.category, key=row.key)
    before = {"category": held.category, **{name: getattr(held, name) for name in VALUES}}
    values = tidy({name: before[name] for name in VALUES} | row.values)
    problems = work_type_problems(values)
    for name, sentences in problems.items():
        faults.add(row.line, name, sentences[0])
    if problems:
        return "refused"
    after = {"category": row.category, **values}
    before |= {"position": held.position, "retired": held.retired_at is not None}
    after |= {"position": place, "retired": before["retired"]}
    if row.retired is not None:
        after["retired"] = row.retired
    changed = [n for n in after if plain({"v": before[n]}) != plain({"v": after[n]})]
    if stored is not None and not changed:
        return ""
    for name, value in after.items():
        if name != "retired":
            setattr(held, name, value)
    if after["retired"] != before["retired"]:
        held.retired_at = timezone.now() if after["retired"] else None
    held.save()
    record(
        work_map,
        Kind.ADDED if stored is None else Kind.CHANGED,
        by=by,
        work_type=held,
        before={} if stored is None else {name: before[name] for name in changed},
        after=after if stored is None else {name: after[name] for name in changed},
    )
    return Kind.ADDED if stored is None else Kind.CHANGED


def _store_facts(work_map: WorkMap, facts: Mapping[str, Any], *, by: Any) -> bool:
    """Store the facts of a domain that the file has; return whether any changed."""
    before = {name: getattr(work_map, name) for name in facts}
    changed = [n for n in facts if plain({"v": before[n]}) != plain({"v": facts[n]})]
    if not changed or facts_problems({n: getattr(work_map, n) for n in FACTS} | dict(facts)):
        return False
    for name in changed:
        setattr(work_map, name, facts[name])
    work_map.save(update_fields=changed)
    record(
        work_map,
        Kind.FACTS,
        by=by,
        before={name: before[name] for name in changed},
        after={name: facts[name] for name in changed},
    )
    return True

"""The work map as a table, out and in: one row for each work type, in CSV and Excel."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Record
from curation.base.records.kind import Outcome, RecordKind, Source
from curation.base.records.rows import KEY_WANTED, amount, day, read_rows, whole_number, yes_no
from curation.base.text import storable
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

HEAD = (
    *("domain", "category", "category_name", "category_name_zh"),
    *("work_type", "name", "name_zh", "share", "importance", "feasible", "evaluable", "simulation"),
    *("interviews", "interviewed_on", "interview_source", "retired"),
    *("market_size", "market_currency", "market_year", "market_source"),
    *("time_bins", "reverify_days"),
)
REQUIRED = ("domain", "category", "name")
# How a cell is read; the others are texts.
_READERS: Mapping[str, Callable[[Record, str, Faults], Any]] = {
    **dict.fromkeys(("share", "market_size"), amount),
    **dict.fromkeys(("importance", "interviews", "market_year", "reverify_days"), whole_number),
    **dict.fromkeys(("feasible", "evaluable", "retired"), yes_no),
    "interviewed_on": day,
}


def rows_of(work_types: Iterable[WorkType]) -> Iterator[list[Any]]:
    """Yield the rows of a table in the order of HEAD; unknown is empty.

    Args:
        work_types: with domain, category and the domain's map selected.
    """
    for row in work_types:
        held = getattr(row.domain, "work_map", None) or WorkMap(domain=row.domain)
        yield [
            *(row.domain.key, row.category.key, row.category.name, row.category.name_zh),
            *(row.key, row.name, row.name_zh, _number(row.share), row.importance),
            *(_yes_no(row.feasible), _yes_no(row.evaluable), row.simulation),
            *(row.interviews, row.interviewed_on and row.interviewed_on.isoformat()),
            *(row.interview_source, "yes" if row.retired_at else "no"),
            *(_number(held.market_size), held.market_currency, held.market_year),
            *(held.market_source, ", ".join(map(str, held.time_bins)), held.reverify_days),
        ]


def _number(value: Decimal | None) -> Any:
    """Return an amount as a number of the table, exactly."""
    return None if value is None else f"{value.normalize():f}"


def _yes_no(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


# --- in -----------------------------------------------------------------------------------------
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
    held: WorkType | None = None  # what is stored
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    changed: Sequence[str] = ()  # what of it differs


class WorkTypes(RecordKind):
    """The work types of one or more domains, with the facts of their maps.

    Rows are told apart by domain and key (the column `work_type`; without it the key comes from
    the name). The order of the rows is the order of the map. Work types that the file does not
    name, and columns it does not have, stay as they are.

    Attributes:
        facts: domains with changed facts.
    """

    name = "work types"
    facts = 0

    def read(self, source: Source, file: str, progress: Any) -> tuple[list[Record], Faults]:
        """Read a table of work types."""
        faults = Faults(file)
        rows = read_rows(source, faults, columns=HEAD, required=REQUIRED, tables_only=True)
        return rows, faults

    def check(self, records: Sequence[Record], faults: Faults) -> None:
        """Check each row, and what a domain has once."""
        rows = [row for one in records if (row := _read(one, faults)) is not None]
        rows = _without_repetitions(rows, faults)
        _check_facts(rows, faults)
        self.rows = {row.line: row for row in rows}
        self.by_domain: dict[int, list[_Row]] = defaultdict(list)
        for row in rows:
            self.by_domain[row.domain.pk].append(row)
        self.maps = {pk: lock_map(group[0].domain) for pk, group in self.by_domain.items()}

    def compare(
        self, records: Sequence[Record], faults: Faults
    ) -> tuple[Collection[int], Collection[int]]:
        """Return the lines whose work types are there, and those that change them."""
        for pk, group in self.by_domain.items():
            known = {w.key: w for w in WorkType.objects.filter(domain=pk)}
            for place, row in enumerate(group, start=1):
                row.held = known.get(row.key)
                _compare(row, place, faults)
        there = {line: row for line, row in self.rows.items() if row.held is not None}
        return there, {line for line, row in there.items() if row.changed}

    def store(self, new: Sequence[Record], changed: Sequence[Record], faults: Faults) -> None:
        """Store the work types; only then is it known whether the shares exceed the whole."""
        for line in sorted(one.line for one in (*new, *changed)):
            row = self.rows[line]
            _store(self.maps[row.domain.pk], row)
        for pk, group in self.by_domain.items():
            _check_shares(group[0].domain, group, faults)
            self.facts += _store_facts(self.maps[pk], group[0].facts, by=None)

    def summary(self, done: Outcome) -> str:
        """Return what was stored, with the facts of domains."""
        return f"{super().summary(done)}; facts of {self.facts} domains changed"


def _read(row: Record, faults: Faults) -> _Row | None:
    line, before, cells = row.line, len(faults.found), row.values
    domain = Domain.objects.filter(key=row.get("domain", ""), external=False).first()
    if domain is None:
        sentence = _("There is no domain with the key “%s”.") % row.get("domain", "")
        faults.add(line, "domain", sentence)
    category = _category(line, domain, cells, faults) if domain else None
    key = cells.get("work_type") or key_of(row.get("name", ""))
    if not key or key != key_of(key):
        faults.add(line, "work_type" if cells.get("work_type") else "name", str(KEY_WANTED))
    read = {
        name: _READERS[name](row, name, faults) if name in _READERS else words
        for name, words in cells.items()
    }
    facts = {name: read[name] for name in FACTS if name in read}
    if cells.get("time_bins"):
        facts["time_bins"] = read_bins(cells["time_bins"])
    for name in ("time_bins", "reverify_days"):
        if not cells.get(name):  # empty: as it is
            facts.pop(name, None)
    if domain is None or category is None or len(faults.found) > before:
        return None
    values = {name: read[name] for name in VALUES if name in read}
    return _Row(line, domain, category, key, values, facts, read.get("retired"))


def _category(
    line: int, domain: Domain, cells: Mapping[str, str], faults: Faults
) -> Category | None:
    """Return the category; one that is not there yet is made where the file gives its name."""
    key, name = cells.get("category", ""), cells.get("category_name", "")
    found = Category.objects.filter(domain=domain, key=key).first()
    if found is not None:
        return found
    if not key or key != key_of(key):
        faults.add(line, "category", str(KEY_WANTED))
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


def _without_repetitions(rows: list[_Row], faults: Faults) -> list[_Row]:
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


def _check_facts(rows: list[_Row], faults: Faults) -> None:
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


def _check_shares(domain: Domain, rows: list[_Row], faults: Faults) -> None:
    active = WorkType.objects.filter(domain=domain, retired_at__isnull=True)
    if sentence := share_problem(active.values_list("share", flat=True)):
        faults.add(rows[-1].line, "share", sentence)


def _compare(row: _Row, place: int, faults: Faults) -> None:
    """Find out what a row changes; add a fault for each value that cannot be."""
    held = row.held or WorkType(domain=row.domain, category=row.category, key=row.key)
    before = {"category": held.category, **{name: getattr(held, name) for name in VALUES}}
    values = tidy({name: before[name] for name in VALUES} | row.values)
    for name, sentences in work_type_problems(values).items():
        faults.add(row.line, name, sentences[0])
    before |= {"position": held.position, "retired": held.retired_at is not None}
    retired = before["retired"] if row.retired is None else row.retired
    row.after = {"category": row.category, **values, "position": place, "retired": retired}
    row.changed = [
        n for n, value in row.after.items() if plain({"v": before[n]}) != plain({"v": value})
    ]
    row.before = before


def _store(work_map: WorkMap, row: _Row) -> None:
    added = row.held is None
    held = row.held or WorkType(domain=row.domain, category=row.category, key=row.key)
    for name, value in row.after.items():
        if name != "retired":
            setattr(held, name, value)
    if "retired" in row.changed:
        held.retired_at = timezone.now() if row.after["retired"] else None
    held.save()
    record(
        work_map,
        Kind.ADDED if added else Kind.CHANGED,
        by=None,
        work_type=held,
        before={} if added else {name: row.before[name] for name in row.changed},
        after=row.after if added else {name: row.after[name] for name in row.changed},
    )


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

"""A taxonomy as a table, out and in: all rows or none, every fault with its line and column."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Record
from curation.base.records.kind import RecordKind, Source
from curation.base.records.rows import KEY_WANTED, read_rows, yes_no
from curation.base.web.refusals import BadInput
from curation.joining.domains.models import Domain
from curation.tasks.skills.actions import (
    VALUES,
    Kind,
    key_of,
    label_problems,
    lock_taxonomy,
    record,
    store_changes,
    tidy,
)
from curation.tasks.skills.models import Level, SkillLabel

HEAD = ("level", "label", "name", "name_zh", "description", "description_zh", "retired")
REQUIRED = ("level", "name")
LEVELS = {"intent": Level.INTENT, "need": Level.NEED, "constraint": Level.CONSTRAINT}
_NAMES = {level: name for name, level in LEVELS.items()}
_TEXTS = ("name", "name_zh", "description", "description_zh")


def rows_of(labels: Iterable[SkillLabel]) -> Iterator[list[Any]]:
    """Yield the rows of a taxonomy in the order of HEAD."""
    for label in labels:
        yield [
            *(_NAMES[Level(label.level)], label.key, label.name, label.name_zh),
            *(label.description, label.description_zh, "yes" if label.retired_at else "no"),
        ]


class Taxonomy(RecordKind):
    """The labels of a domain's skills library.

    Rows are told apart by the key in `label`; without one the key comes from the name. The order
    of the rows of a level is its order. Labels that the file does not name, and columns it does
    not have, stay as they are.

    Args:
        domain: its key.

    Raises:
        BadInput: no such domain.
    """

    name = "labels"

    def __init__(self, domain: str) -> None:
        found = Domain.objects.filter(key=domain).first()
        if found is None:
            raise BadInput(_("There is no domain with the key “%s”.") % domain)
        self.domain = found

    def read(self, source: Source, file: str, progress: Any) -> tuple[list[Record], Faults]:
        """Read a table of labels."""
        faults = Faults(file)
        rows = read_rows(source, faults, columns=HEAD, required=REQUIRED, tables_only=True)
        return rows, faults

    def check(self, records: Sequence[Record], faults: Faults) -> None:
        """Check keys, levels and texts."""
        lock_taxonomy(self.domain)
        self.stored = {label.key: label for label in SkillLabel.objects.filter(domain=self.domain)}
        self.wanted: dict[int, _Wanted] = {}
        places: Counter[int] = Counter()
        seen: dict[str, int] = {}
        for one in records:
            line, cells = one.line, one.values
            key = cells.get("label") or key_of(cells.get("name", ""))
            level = _level(cells.get("level", ""))
            first = seen.setdefault(key, line)
            if not key or key != key_of(key):
                faults.add(line, "label", str(KEY_WANTED))
            elif first != line:
                sentence = _("Line %(line)s has the label “%(key)s” already.")
                faults.add(line, "label", sentence % {"line": first, "key": key})
            elif level is None:
                faults.add(line, "level", _("Write intent, need or constraint."))
            else:
                places[level] += 1
                values = _values(self.stored.get(key), cells, level, places[level])
                retired = yes_no(one, "retired", faults)
                for name, sentences in label_problems(values).items():
                    faults.add(line, name, sentences[0])
                self.wanted[line] = _Wanted(key, values, retired)

    def compare(
        self, records: Sequence[Record], faults: Faults
    ) -> tuple[Collection[int], Collection[int]]:
        """Return the lines whose labels are there, and those that change them."""
        there = {line: one for line, one in self.wanted.items() if one.key in self.stored}
        return there, {line for line, one in there.items() if one.changes(self.stored[one.key])}

    def store(self, new: Sequence[Record], changed: Sequence[Record], faults: Faults) -> None:
        """Store labels with an entry in the history for each step."""
        for row in (*new, *changed):
            one = self.wanted[row.line]
            label = self.stored.get(one.key)
            if label is None:
                label = SkillLabel.objects.create(domain=self.domain, key=one.key, **one.values)
                record(self.domain, Kind.ADDED, by=None, label=label, after=one.values)
            elif one.differs(label):
                label = store_changes(label, one.values, version=label.version, by=None)
            if one.retires(label):
                label.retired_at = timezone.now() if one.retired else None
                label.version += 1
                label.save(update_fields=["retired_at", "version"])
                change = Kind.RETIRED if one.retired else Kind.RESTORED
                reason = _("Import of a table.")
                record(self.domain, change, by=None, label=label, reason=reason)


@dataclass(frozen=True)
class _Wanted:
    """A label as a row has it; `retired` is None where the row does not say."""

    key: str
    values: dict[str, Any]
    retired: bool | None

    def differs(self, label: SkillLabel) -> bool:
        return any(getattr(label, name) != self.values[name] for name in VALUES)

    def retires(self, label: SkillLabel) -> bool:
        """Whether it is retired or brought back."""
        return self.retired is not None and self.retired != (label.retired_at is not None)

    def changes(self, label: SkillLabel) -> bool:
        return self.differs(label) or self.retires(label)


def _level(typed: str) -> int | None:
    name = typed.strip().lower()
    return LEVELS.get(name) or next((n for n in Level.values if name == str(n)), None)


def _values(
    stored: SkillLabel | None, cells: Mapping[str, str], level: int, place: int
) -> dict[str, Any]:
    """Return the values a row leads to: its cells, else what is stored."""
    values = {name: getattr(stored, name) if stored else "" for name in _TEXTS}
    values |= {name: cells[name] for name in _TEXTS if name in cells}
    return tidy({**values, "level": level, "position": place})

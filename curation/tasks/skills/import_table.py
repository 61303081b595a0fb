"""A taxonomy as a table, out and in: all rows or none, every fault with its line and column."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

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
from curation.tasks.work_map.table import read_table

HEAD = ("level", "label", "name", "name_zh", "description", "description_zh", "retired")
REQUIRED = ("level", "name")
LEVELS = {"intent": Level.INTENT, "need": Level.NEED, "constraint": Level.CONSTRAINT}
_NAMES = {level: name for name, level in LEVELS.items()}
_TEXTS = ("name", "name_zh", "description", "description_zh")
_YES_NO = {"": None, "yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}


@dataclass(frozen=True)
class Outcome:
    """The result of an import, in numbers of labels."""

    added: int
    changed: int
    unchanged: int


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


def rows_of(labels: Iterable[SkillLabel]) -> Iterator[list[Any]]:
    """Yield the rows of a taxonomy in the order of HEAD."""
    for label in labels:
        yield [
            *(_NAMES[Level(label.level)], label.key, label.name, label.name_zh),
            *(label.description, label.description_zh, "yes" if label.retired_at else "no"),
        ]


@transaction.atomic
def import_taxonomy(path: str | Path, *, domain: str, dry_run: bool = False) -> Outcome:
    """Import the labels of a domain, completely or not at all. The same file changes nothing.

    Rows are told apart by the key in `label`; without one the key comes from the name. The order
    of the rows of a level is its order. Labels that the file does not name, and columns it does
    not have, stay as they are.

    Args:
        domain: its key.
        dry_run: whether to roll everything back at the end.

    Raises:
        BadInput: no such domain, or the file has faults; the sentence has a line
            "FILE:LINE: column: what" for each.
    """
    found = Domain.objects.filter(key=domain).first()
    if found is None:
        raise BadInput(_("There is no domain with the key “%s”.") % domain)
    rows = read_table(path, known=HEAD, required=REQUIRED)
    faults = _Faults(str(path))
    lock_taxonomy(found)
    stored = {label.key: label for label in SkillLabel.objects.filter(domain=found)}
    places: Counter[int] = Counter()
    seen: dict[str, int] = {}
    done: Counter[str] = Counter()
    for line, cells in rows:
        key = cells.get("label") or key_of(cells["name"])
        if not key or key != key_of(key):
            faults.add(line, "label", _("A key has letters, digits and hyphens, in lower case."))
            continue
        if key in seen:
            sentence = _("Line %(line)s has the label “%(key)s” already.")
            faults.add(line, "label", sentence % {"line": seen[key], "key": key})
            continue
        seen[key] = line
        level = _level(cells["level"])
        if level is None:
            faults.add(line, "level", _("Write intent, need or constraint."))
            continue
        places[level] += 1
        values = _values(stored.get(key), cells, level, places[level])
        retired = _YES_NO.get(cells.get("retired", "").lower(), "unknown")
        if retired == "unknown":
            faults.add(line, "retired", _("Write yes or no, or leave it empty."))
        for name, sentences in label_problems(values).items():
            faults.add(line, name, sentences[0])
        if not faults.found:
            done[_store(found, stored.get(key), key, values, retired)] += 1
    faults.refuse()  # inside the transaction, which takes back what was stored above
    if dry_run:
        transaction.set_rollback(True)
    return Outcome(done[Kind.ADDED], done[Kind.CHANGED], done[""])


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


def _store(
    domain: Domain, stored: SkillLabel | None, key: str, values: dict[str, Any], retired: Any
) -> str:
    """Store one row; return what was done: added, changed, or "" for nothing."""
    kind = "" if stored else Kind.ADDED
    if stored is None:
        stored = SkillLabel.objects.create(domain=domain, key=key, **values)
        record(domain, Kind.ADDED, by=None, label=stored, after=values)
    elif any(getattr(stored, name) != values[name] for name in VALUES):
        stored = store_changes(stored, values, version=stored.version, by=None)
        kind = Kind.CHANGED
    if retired is not None and retired != (stored.retired_at is not None):
        stored.retired_at = timezone.now() if retired else None
        stored.version += 1
        stored.save(update_fields=["retired_at", "version"])
        change = Kind.RETIRED if retired else Kind.RESTORED
        record(domain, change, by=None, label=stored, reason=_("Import of a table."))
        kind = kind or Kind.CHANGED
    return kind

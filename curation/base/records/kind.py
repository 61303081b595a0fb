"""A kind of records that files bring in: its fields, its checks, what is stored already, storing.

Formats (`json_lines`, `rows`) give records; kinds stand beside the nouns they are about.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Format, Line, Record, check_unique, objects, read
from curation.base.web.refusals import Conflict

ATTEMPTS = 2
AT_ONCE = 500  # rows of one statement, within SQLite's limit of variables
Source = str | Path | bytes
Item = TypeVar("Item")


@dataclass(frozen=True)
class Outcome:
    """The result of an import, in numbers of records.

    Attributes:
        made: names of what was created beside them, such as new domains.
    """

    added: int = 0
    unchanged: int = 0
    changed: int = 0
    made: Mapping[str, Sequence[str]] = field(default_factory=dict)


class RecordKind:
    """One import of records of a kind, completely or not at all.

    Attributes:
        name: of the kind, in the plural.
        line: the form of a JSON line.
        unique: a field that no two lines share; "" for none.
        form: the format of the file, where it is read by `line`.
        context: given to the rules of `line`.
        replace: whether U+FFFD replaces characters that cannot be stored.
        dry_run: whether all is taken back at the end.
    """

    name: ClassVar[str]
    line: ClassVar[type[Line]]
    unique: ClassVar[str] = ""
    form: Format = staticmethod(objects)
    context: Any = None
    replace = False
    dry_run = False

    def read(
        self, source: Source, file: str, progress: Callable[[int], None]
    ) -> tuple[list[Record], Faults]:
        """Return the records of a file and its faults: by default, by `line` and `form`."""
        assert not isinstance(source, bytes)
        records, faults = read(
            source,
            self.line,
            form=self.form,
            context=self.context,
            replace=self.replace,
            progress=progress,
        )
        if self.unique:
            check_unique(records, self.unique, faults)
        return records, faults

    def check(self, records: Sequence[Record], faults: Faults) -> None:
        """Add what is wrong with the records, and load what the other steps need."""

    def compare(
        self, records: Sequence[Record], faults: Faults
    ) -> tuple[Collection[int], Collection[int]]:
        """Return the lines that are stored already, and those of them that change it.

        Adds a fault where a change is refused.
        """
        raise NotImplementedError

    def store(self, new: Sequence[Record], changed: Sequence[Record], faults: Faults) -> None:
        """Store the records; a fault that shows only now takes all of them back."""
        raise NotImplementedError

    def made(self) -> Mapping[str, Sequence[str]]:
        """Return the names of what was created beside the records."""
        return {}

    def summary(self, done: Outcome) -> str:
        """Return what a command says in the end."""
        return (
            f"{self.name}: {done.added} added, {done.changed} changed, {done.unchanged} unchanged"
        )

    def run(
        self,
        source: Source,
        *,
        file: str = "",
        dry_run: bool = False,
        at_end: Callable[[Outcome], None] | None = None,
        progress: Callable[[int], None] = lambda line: None,
    ) -> Outcome:
        """Import a file. The same file again changes nothing.

        If somebody else stores the same rows between the check and the insert, all is rolled back
        and done again; the check then finds those rows, or reports a fault.

        Args:
            source: the path of the file, or its content.
            file: its name in faults; by default the path.
            dry_run: whether only to check and count.
            at_end: called in the same transaction when all is stored; not on a dry run.
            progress: gets the number of each line that is read.

        Raises:
            FileRefused: the file has faults; it carries all of them.
            Conflict: others stored the same rows at each attempt.
        """
        self.dry_run = dry_run
        records, faults = self.read(source, file or str(source), progress)
        for _attempt in range(ATTEMPTS):
            try:
                with transaction.atomic():
                    found = replace(faults, found=list(faults.found))
                    done = self._check_and_store(records, found)
                    if dry_run:
                        transaction.set_rollback(True)
                    elif at_end is not None:
                        at_end(done)
                    return done
            except IntegrityError:
                continue
        raise Conflict(
            _(
                "Somebody else stored rows with the same names meanwhile. Nothing of this file was "
                "stored: import it again when theirs is done."
            )
        )

    def _check_and_store(self, records: Sequence[Record], faults: Faults) -> Outcome:
        self.check(records, faults)
        stored, changed = self.compare(records, faults)
        faults.refuse(faults.counts((r.line for r in records), stored, changed))
        new = [r for r in records if r.line not in stored]
        again = [r for r in records if r.line in changed]
        self.store(new, again, faults)
        faults.refuse()
        return Outcome(len(new), len(records) - len(new) - len(again), len(again), self.made())


def in_parts(values: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Yield values in parts that one statement takes."""
    for start in range(0, len(values), AT_ONCE):
        yield values[start : start + AT_ONCE]

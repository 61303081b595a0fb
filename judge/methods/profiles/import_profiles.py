"""Import of profiles into a pool, from CSV, Excel or JSON lines.

Columns are key, name, link and text; every other column of a table is a fact under its own name.
JSON lines have the facts in an object `facts`.
"""

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.records.faults import Faults
from curation.base.records.json_lines import Record, as_path
from curation.base.records.kind import Outcome, RecordKind, Source
from curation.base.records.rows import read_rows
from curation.base.text import storable
from judge.methods.profiles.actions import add_pool
from judge.methods.profiles.links import MOST_LINK, link_key, name_key
from judge.methods.profiles.models import PoolImport, Profile, ProfilePool

FIELDS = ("key", "name", "link", "text", "facts")
MOST_BYTES = 20_000_000
MOST_ROWS = 20_000
MOST_FACTS = 60  # columns beside the four
MOST_TEXT = 50_000  # characters of a profile
MOST_FACT = 5_000  # characters of a fact
AT_ONCE = 500  # rows of one statement


class Profiles(RecordKind):
    """The profiles of a pool; those that the file does not name stay as they are.

    Args:
        pool: an unsaved one is made with the import.
        by: the person at work, for the history.
    """

    name = "profiles"

    def __init__(self, pool: ProfilePool, *, by: Any = None) -> None:
        self.wanted, self.by = pool, by
        self.rows: list[Record] = []

    def read(self, source: Source, file: str, progress: Any) -> tuple[list[Record], Faults]:
        """Read a table or JSON lines."""
        self.file, faults = file, Faults(file)
        self.rows = read_rows(
            source,
            faults,
            columns=FIELDS,
            required=("key", "name"),
            others="facts",
            most_bytes=MOST_BYTES,
            most_rows=MOST_ROWS,
        )
        return self.rows, faults

    def check(self, records: Sequence[Record], faults: Faults) -> None:
        """Check each profile, and that no two have one link."""
        pool = self.wanted
        if pool.pk is None:
            pool = add_pool(actor=None, key=pool.key, name=pool.name)
        self.pool = ProfilePool.objects.select_for_update().get(pk=pool.pk)
        self.stored = {profile.key: profile for profile in self.pool.profiles.all()}
        _check(records, faults)
        _check_links(records, self.stored, faults)

    def compare(
        self, records: Sequence[Record], faults: Faults
    ) -> tuple[Collection[int], Collection[int]]:
        """Return the lines whose profiles are there, and those that change them."""
        if faults.found:
            return (), ()
        there = {row.line: row for row in records if row.values["key"] in self.stored}
        return there, {
            line
            for line, row in there.items()
            if _values(row) != _stored(self.stored[row.values["key"]])
        }

    def store(self, new: Sequence[Record], changed: Sequence[Record], faults: Faults) -> None:
        """Store the profiles, and what they were before."""
        if self.dry_run or not (new or changed):
            return
        known = [self.stored[row.values["key"]] for row in changed]
        before = {profile.key: _stored(profile) for profile in known}
        for profile, row in zip(known, changed, strict=True):
            _fill(profile, row)
        fields = ["name", "link", "text", "facts", "link_key", "name_key"]
        # A link may move from one profile to another; free it first.
        Profile.objects.filter(pk__in=[one.pk for one in known]).update(link_key="")
        Profile.objects.bulk_update(known, fields, batch_size=AT_ONCE)
        made = [_fill(Profile(pool=self.pool, key=row.values["key"]), row) for row in new]
        Profile.objects.bulk_create(made, batch_size=AT_ONCE)
        PoolImport.objects.create(
            pool=self.pool,
            file_name=storable.one_line(storable.storable(self.file)[0])[:200],
            added=len(new),
            changed=len(changed),
            unchanged=len(self.rows) - len(new) - len(changed),
            before=before,
            by=self.by,
        )

    def as_lines(self) -> str:
        """Return the rows as JSON lines, which an import reads again."""
        return "".join(f"{json.dumps(row.values, ensure_ascii=False)}\n" for row in self.rows)


@action("staff.editing")
def import_profiles(*, actor: Any, pool: ProfilePool, data: bytes, file: str) -> Outcome:
    """Store the profiles of a file; the same file again changes nothing.

    Args:
        file: its name, for faults and for the history.

    Raises:
        FileRefused: the file has faults; nothing is stored.
    """
    return Profiles(pool, by=actor).run(data, file=file)


def _fill(profile: Profile, row: Record) -> Profile:
    for name, value in _values(row).items():
        setattr(profile, name, value)
    profile.link_key, profile.name_key = link_key(profile.link), name_key(profile.name)
    return profile


def _values(row: Record) -> dict[str, Any]:
    return {
        "name": row.values["name"],
        "link": row.get("link", "").strip(),
        "text": storable.clean(row.get("text", "")),
        "facts": dict(row.get("facts", {})),
    }


def _stored(profile: Profile) -> dict[str, Any]:
    return {name: getattr(profile, name) for name in ("name", "link", "text", "facts")}


# --- checks -------------------------------------------------------------------------------------
def _check(rows: Iterable[Record], faults: Faults) -> None:
    seen: dict[str, int] = {}
    for row in rows:
        for name, limit in (("key", 120), ("name", 200)):
            if problem := storable.problem_with_name(row.get(name, ""), limit=limit):
                faults.add(row.line, name, problem)
        for name, limit in (("link", MOST_LINK), ("text", MOST_TEXT)):
            if problem := storable.problem_with(row.get(name, ""), limit=limit):
                faults.add(row.line, name, problem)
        link, key, facts = row.get("link"), row.get("key"), row.get("facts", {})
        if isinstance(link, str) and link.strip() and not link_key(link):
            faults.add(row.line, "link", _("This is no link to a page."))
        if isinstance(facts, dict):
            _check_facts(row.line, facts, faults)
        else:
            sentence = _("Facts are an object: a name and a value for each.")
            faults.add(row.line, "facts", sentence)
        if isinstance(key, str):
            first = seen.setdefault(key, row.line)
            if first != row.line:
                sentence = _("This key stands in line %(line)s already.") % {"line": first}
                faults.add(row.line, "key", sentence)


def _check_facts(line: int, facts: Mapping[str, Any], faults: Faults) -> None:
    if len(facts) > MOST_FACTS:
        sentence = _("A profile has at most %(n)s facts.") % {"n": MOST_FACTS}
        faults.add(line, "facts", sentence)
    for name, value in facts.items():
        if problem := storable.problem_with_name(name, limit=80):
            faults.add(line, "facts", problem)
            continue
        for one in value if isinstance(value, list) else [value]:
            endless = isinstance(one, float) and not math.isfinite(one)
            if endless or not isinstance(one, str | int | float | bool):
                sentence = _("A fact is a text, a number, true, false or a list of these.")
                faults.add(line, as_path(name), sentence)
            elif isinstance(one, str) and (problem := storable.problem_with(one, limit=MOST_FACT)):
                faults.add(line, as_path(name), problem)


def _check_links(rows: Iterable[Record], there: Mapping[str, Profile], faults: Faults) -> None:
    """Refuse two profiles with one link, within the file or with what the pool keeps."""
    given = {row.get("key") for row in rows if isinstance(row.get("key"), str)}
    used = {one.link_key: one.key for key, one in there.items() if key not in given}
    for row in rows:
        link = link_key(row.get("link")) if isinstance(row.get("link"), str) else ""
        if not link:
            continue
        other = used.setdefault(link, row.get("key"))
        if other != row.get("key"):
            sentence = _("The profile “%(key)s” has the same link.") % {"key": other}
            faults.add(row.line, "link", sentence)

"""Import of profiles into a pool: all or none, every fault with its line and field."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from judge.base.json_lines.faults import Faults, FileRefused, Problem
from judge.methods.profiles.links import MOST_LINK, link_key, name_key
from judge.methods.profiles.models import PoolImport, Profile, ProfilePool
from judge.methods.profiles.table import MOST_FACTS, Row, read

MOST_TEXT = 50_000  # characters of a profile
MOST_FACT = 5_000  # characters of a fact
AT_ONCE = 500  # rows of one statement


@dataclass(frozen=True)
class Plan:
    """What a file would do to a pool.

    Attributes:
        rows: everything the file has, in its order.
        changed: key -> how the profile is now.
        faults: why nothing can be imported; then the rest is empty.
    """

    rows: Sequence[Row] = ()
    added: Sequence[Row] = ()
    changed: Mapping[str, Profile] = field(default_factory=dict)
    unchanged: int = 0
    faults: Sequence[Problem] = ()

    @property
    def news(self) -> int:
        """How many profiles are new or change."""
        return len(self.added) + len(self.changed)

    def as_lines(self) -> str:
        """Return the rows as JSON lines, which an import reads again."""
        return "".join(f"{row.as_json()}\n" for row in self.rows)


def plan_import(pool: ProfilePool, data: bytes, file: str) -> Plan:
    """Return what a file would do, or all of its faults. Never raises for a bad file."""
    faults = Faults(file)
    rows = read(data, faults)
    if not rows and not faults.found:
        faults.add(1, "file", _("There is no profile in this file."))
    _check(rows, faults)
    there = {profile.key: profile for profile in pool.profiles.all()}
    _check_links(rows, there, faults)
    if faults.found:
        return Plan(faults=sorted(faults.found, key=lambda problem: problem.line))
    added = [row for row in rows if row.key not in there]
    changed = {
        row.key: there[row.key]
        for row in rows
        if row.key in there and _values(row) != _stored(there[row.key])
    }
    return Plan(rows, added, changed, len(rows) - len(added) - len(changed))


@action("staff.editing")
@transaction.atomic
def import_profiles(
    *, actor: Any, pool: ProfilePool, data: bytes, file: str, dry_run: bool = False
) -> Plan:
    """Store the profiles of a file; the same file again changes nothing.

    Profiles of the pool that the file does not name stay as they are.

    Args:
        file: its name, for faults and for the history.

    Raises:
        FileRefused: the file has faults; nothing is stored.
    """
    pool = ProfilePool.objects.select_for_update().get(pk=pool.pk)
    plan = plan_import(pool, data, file)
    if plan.faults:
        raise FileRefused(plan.faults)
    if dry_run or not plan.news:
        return plan
    new = {row.key: row for row in plan.rows}
    before = {key: _stored(profile) for key, profile in plan.changed.items()}
    for profile in plan.changed.values():
        _fill(profile, new[profile.key])
    fields = ["name", "link", "text", "facts", "link_key", "name_key"]
    # A link may move from one profile to another; free it first.
    Profile.objects.filter(pk__in=[one.pk for one in plan.changed.values()]).update(link_key="")
    Profile.objects.bulk_update(plan.changed.values(), fields, batch_size=AT_ONCE)
    Profile.objects.bulk_create(
        [_fill(Profile(pool=pool, key=row.key), row) for row in plan.added], batch_size=AT_ONCE
    )
    PoolImport.objects.create(
        pool=pool,
        file_name=storable.one_line(storable.storable(file)[0])[:200],
        added=len(plan.added),
        changed=len(plan.changed),
        unchanged=plan.unchanged,
        before=before,
        by=actor,
    )
    return plan


def _fill(profile: Profile, row: Row) -> Profile:
    for name, value in _values(row).items():
        setattr(profile, name, value)
    profile.link_key, profile.name_key = link_key(profile.link), name_key(profile.name)
    return profile


def _values(row: Row) -> dict[str, Any]:
    return {
        "name": row.name,
        "link": row.link.strip(),
        "text": storable.clean(row.text),
        "facts": dict(row.facts),
    }


def _stored(profile: Profile) -> dict[str, Any]:
    return {name: getattr(profile, name) for name in ("name", "link", "text", "facts")}


# --- checks -------------------------------------------------------------------------------------
def _check(rows: Iterable[Row], faults: Faults) -> None:
    seen: dict[str, int] = {}
    for row in rows:
        for name, limit in (("key", 120), ("name", 200)):
            if problem := storable.problem_with_name(getattr(row, name), limit=limit):
                faults.add(row.line, name, problem)
        for name, limit in (("link", MOST_LINK), ("text", MOST_TEXT)):
            if problem := storable.problem_with(getattr(row, name), limit=limit):
                faults.add(row.line, name, problem)
        if isinstance(row.link, str) and row.link.strip() and not link_key(row.link):
            faults.add(row.line, "link", _("This is no link to a page."))
        _check_facts(row, faults)
        if isinstance(row.key, str):
            first = seen.setdefault(row.key, row.line)
            if first != row.line:
                sentence = _("This key stands in line %(line)s already.") % {"line": first}
                faults.add(row.line, "key", sentence)


def _check_facts(row: Row, faults: Faults) -> None:
    if len(row.facts) > MOST_FACTS:
        sentence = _("A profile has at most %(n)s facts.") % {"n": MOST_FACTS}
        faults.add(row.line, "facts", sentence)
    for name, value in row.facts.items():
        if problem := storable.problem_with_name(name, limit=80):
            faults.add(row.line, "facts", problem)
            continue
        values = value if isinstance(value, list) else [value]
        for one in values:
            endless = isinstance(one, float) and not math.isfinite(one)
            if endless or not isinstance(one, str | int | float | bool):
                sentence = _("A fact is a text, a number, true, false or a list of these.")
                faults.add(row.line, name, sentence)
            elif isinstance(one, str) and (problem := storable.problem_with(one, limit=MOST_FACT)):
                faults.add(row.line, name, problem)


def _check_links(rows: Iterable[Row], there: Mapping[str, Profile], faults: Faults) -> None:
    """Refuse two profiles with one link, within the file or with what the pool keeps."""
    given = {row.key for row in rows if isinstance(row.key, str)}
    used = {one.link_key: one.key for key, one in there.items() if key not in given}
    for row in rows:
        link = link_key(row.link) if isinstance(row.link, str) else ""
        if not link:
            continue
        other = used.setdefault(link, row.key)
        if other != row.key:
            sentence = _("The profile “%(key)s” has the same link.") % {"key": other}
            faults.add(row.line, "link", sentence)

"""What each app declares of its settings: their present values, and how they changed.

A source reads the rows its noun keeps anyway, so nothing is stored twice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.text.wording import listed
from curation.joining.domains.policies import COMMON, LATEST
from curation.joining.domains.rule_pages import RulePages

GROUPS: Mapping[str, Any] = {
    "people": gettext_lazy("People and accounts"),
    "work": gettext_lazy("Tasks, panels, rubrics and reviews"),
    "scoring": gettext_lazy("Scoring and judging"),
    "models": gettext_lazy("Models and money"),
    "domains": gettext_lazy("Domains and categories"),
    "mail": gettext_lazy("E-mail"),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting with its present value.

    Attributes:
        value: one value, or a list of (label, value).
        who, at: who set it last, and when; "" and None if nobody has.
        url: where it is changed; "" if it is set elsewhere, as `variable` says.
        variable: the environment variable it is set with; "" for none.
    """

    label: Any
    value: Any
    who: str = ""
    at: datetime | None = None
    url: str = ""
    variable: str = ""

    @property
    def parts(self) -> list[tuple[Any, Any]]:
        """The (label, value) pairs of a setting that has several values."""
        return self.value if isinstance(self.value, list) else []


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """One change: from what to what, by whom and why.

    Attributes:
        parts: (label, before, after) of each changed value.
        reason: "" where none is asked for.
    """

    at: datetime
    who: str
    label: Any
    parts: Sequence[tuple[Any, Any, Any]]
    reason: str = ""
    url: str = ""


@dataclass(frozen=True)
class SettingSource:
    """The settings of one noun.

    Attributes:
        group: a key of `GROUPS`.
        settings: returns their present values.
        changes: returns the latest changes, newest first, at most `LATEST`.
        place: orders the sources of a group, lower first.
    """

    key: str
    group: str
    settings: Callable[[], Iterable[Setting]]
    changes: Callable[[], Iterable[SettingChanged]] = tuple
    place: int = 5


_sources: dict[str, SettingSource] = {}


def register(*sources: SettingSource) -> None:
    """Add sources, in order. Idempotent."""
    _sources.update({source.key: source for source in sources})


def sources() -> Sequence[SettingSource]:
    """Return all sources in their order."""
    return sorted(_sources.values(), key=lambda source: source.place)


# --- words ------------------------------------------------------------------------------------
def shown(value: Any) -> Any:
    """Return a value as a page shows it: yes, no, a list, or as it is; "–" for none."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value is None or value == "" or value == []:
        return "–"
    if isinstance(value, list | tuple):
        return listed(shown(one) for one in value)
    if isinstance(value, dict):
        return listed(f"{name}: {shown(one)}" for name, one in value.items())
    return value


def name_of(person: Any) -> str:
    """Return who did something, for staff; the machine or a command has no person."""
    return person.name_for_staff if person is not None else _("from the command line")


def differing(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    labels: Mapping[str, Any],
    show: Callable[[Any], Any] = shown,
) -> list[tuple[Any, Any, Any]]:
    """Return (label, before, after) of the values that differ."""
    return [
        (label, show(before.get(name)), show(after.get(name)))
        for name, label in labels.items()
        if before.get(name) != after.get(name)
    ]


def labelled(
    values: Mapping[str, Any], labels: Mapping[str, Any], show: Any = shown
) -> list[tuple[Any, Any]]:
    """Return (label, value) of each value, in the order of the labels."""
    return [(label, show(values.get(name))) for name, label in labels.items()]


def _of_domain(label: Any, domain: Any) -> str:
    where = domain or _("All other domains")
    return f"{label}: {where}"


# --- the three ways in which nouns keep their settings ---------------------------------------
def of_book(key: str, pages: RulePages, place: int = 5) -> SettingSource:
    """Describe rules per domain (`curation/joining/domains/policies.py`)."""
    book = pages.book

    def word(value: Any) -> Any:
        known = pages.choices()
        return known.get(value, value) if isinstance(value, str) and value else shown(value)

    def values() -> Iterable[Setting]:
        latest: dict[Any, Any] = {}
        for row in book.record._default_manager.select_related("actor", "policy").order_by("pk"):
            latest[row.policy.domain_id] = row
        for place, domain, policy, own in book.listed():
            if not own:
                continue
            row = latest.get(domain.pk if domain else None)
            yield Setting(
                _of_domain(pages.title, domain),
                labelled(book.rules_of(policy), pages.labels, word),
                name_of(row.actor) if row else "",
                row.at if row else None,
                reverse(pages.rule_route, args=[place]),
            )

    def changes() -> Iterable[SettingChanged]:
        for row in pages.changes():
            place = row["domain"].key if row["domain"] else COMMON
            yield SettingChanged(
                row["at"],
                row["who"],
                _of_domain(pages.title, row["domain"]),
                [(name, shown(before), shown(after)) for name, before, after in row["rules"]],
                url=reverse(pages.rule_route, args=[place]),
            )

    return SettingSource(key, "work", values, changes, place)


def of_states(
    key: str,
    group: str,
    label: Any,
    states: type[models.Model],
    route: str,
    labels: Mapping[str, Any],
    show: Callable[[Any], Any] = shown,
    in_force: Callable[[], Mapping[str, Any]] | None = None,
    place: int = 5,
) -> SettingSource:
    """Describe a table whose newest row is in force (`next_state`).

    Args:
        labels: column -> its label.
        in_force: returns the values in force where there is no row; by default the columns'.
    """
    names = list(labels)

    def row_values(row: Any) -> dict[str, Any]:
        return {name: getattr(row, name) for name in names}

    def at_first() -> Mapping[str, Any]:
        if in_force is not None:
            return in_force()
        first = states()
        return {name: getattr(first, name) for name in names}

    def rows() -> Any:
        people = states._default_manager.select_related("set_by")
        return people.order_by("-number")

    def values() -> Iterable[Setting]:
        row = rows().first()
        now = row_values(row) if row else at_first()
        yield Setting(
            label,
            labelled(now, labels, show),
            name_of(row.set_by) if row else "",
            row.since if row else None,
            reverse(route),
        )

    def changes() -> Iterable[SettingChanged]:
        found = list(rows()[: LATEST + 1])
        for row, before in pairwise([*found, None]):
            if row is None or (before is None and row.number > 1):
                continue
            earlier = row_values(before) if before else at_first()
            yield SettingChanged(
                row.since,
                name_of(row.set_by),
                label,
                differing(earlier, row_values(row), labels, show),
                getattr(row, "reason", ""),
                reverse(route),
            )

    return SettingSource(key, group, values, changes, place)


def of_events(
    events: Any, thing: str, route: Callable[[Any], str], label: Callable[[Any], Any]
) -> Callable[[], Iterable[SettingChanged]]:
    """Return the changes of a table of events whose `changes` are column -> [before, after].

    Args:
        thing: the column that leads to what was changed.
        route: thing -> address of its page.
        label: thing -> how it is named.
    """

    def changes() -> Iterable[SettingChanged]:
        rows = events._default_manager.select_related("actor", thing).order_by("-at", "-pk")
        for row in rows[:LATEST]:
            one = getattr(row, thing)
            parts = [
                (name.replace("_", " "), shown(pair[0]), shown(pair[1]))
                for name, pair in row.changes.items()
                if isinstance(pair, list) and len(pair) == 2
            ]
            yield SettingChanged(row.at, name_of(row.actor), label(one), parts, url=route(one))

    return changes

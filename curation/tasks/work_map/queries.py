"""What pages and files read of work maps."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from curation.joining.domains.models import Domain
from curation.tasks.work_map.models import WorkMap, WorkMapChange, WorkType

LATEST = 50  # changes shown


def domain_of(key: str) -> Domain:
    """Return a domain of the programme by its key. Raises Http404."""
    return get_object_or_404(Domain, key=key, external=False)


def map_of(domain: Domain) -> WorkMap:
    """Return the map of a domain; an unsaved one with the defaults if it has none."""
    return WorkMap.objects.filter(domain=domain).first() or WorkMap(domain=domain)


def work_types_of(domain: Domain) -> "QuerySet[WorkType]":
    """Select the work types of a domain in their order, retired ones included."""
    return WorkType.objects.filter(domain=domain).select_related("category", "domain")


def known_share(work_types: Sequence[Any]) -> Decimal | None:
    """Return the sum of the shares of active work types; None if none is known."""
    shares = [w.share for w in work_types if w.share is not None and w.retired_at is None]
    return sum(shares, Decimal(0)) if shares else None


def cell_of(feasible: bool | None, evaluable: bool | None) -> str:
    """Say what to do with work by feasibility and evaluability (the four cells of table 1).

    The xbench paper (section 3.1, table 1) names the cells; the advice in each is ours.
    """
    if feasible is None or evaluable is None:
        return _("Not sorted yet: ask whether it is feasible and evaluable.")
    return {
        (True, True): _("Benchmark it: products can do it, and answers can be graded."),
        (True, False): _("Simulate first: products can do it, but nobody can grade it fairly yet."),
        (False, True): _("Watch it: it can be graded once products are able to do it."),
        (False, False): _("Leave it to people: products cannot do it, nor could it be graded."),
    }[feasible, evaluable]


@dataclass(frozen=True)
class HistoryRow:
    """One change of a map, in words."""

    at: Any
    who: str
    what: str
    details: tuple[tuple[str, str, str], ...]  # label, before, after
    reason: str


def history_of(domain: Domain) -> list[HistoryRow]:
    """Return the latest changes of a domain's map, newest first. One query."""
    rows = WorkMapChange.objects.filter(domain=domain).select_related("work_type", "actor")
    return [_history_row(row) for row in rows[:LATEST]]


def labels() -> dict[str, str]:
    """Return the label of each column that the history names."""
    return {
        "category": _("Evaluation category"),
        "name": _("Work type"),
        "name_zh": _("In Chinese"),
        "share": _("Share of time"),
        "importance": _("Importance"),
        "feasible": _("Feasible"),
        "evaluable": _("Evaluable"),
        "simulation": _("What a simulation could do"),
        "interviews": _("Interviews"),
        "interviewed_on": _("Last interview on"),
        "interview_source": _("Who was asked"),
        "market_size": _("Market size"),
        "market_currency": _("Currency"),
        "market_year": _("Year"),
        "market_source": _("Source"),
        "time_bins": _("Steps of the time histogram"),
        "reverify_days": _("Days before re-verification"),
        "position": _("Place"),
    }


def _history_row(row: WorkMapChange) -> HistoryRow:
    kind = WorkMapChange.Kind(row.kind)
    words = {
        kind.ADDED: _("Added: %(name)s"),
        kind.CHANGED: _("Changed: %(name)s"),
        kind.MOVED: _("Moved: %(name)s"),
        kind.RETIRED: _("Retired: %(name)s"),
        kind.RESTORED: _("Brought back: %(name)s"),
        kind.FACTS: _("Facts of the domain changed"),
    }
    named = labels()
    return HistoryRow(
        at=row.at,
        who=row.actor.name_for_staff if row.actor else _("on the command line"),
        what=words[kind] % {"name": row.work_type or ""},
        details=tuple(
            (named.get(name, name), _shown(row.before.get(name)), _shown(value))
            for name, value in row.after.items()
            if kind in (kind.CHANGED, kind.FACTS, kind.MOVED)
        ),
        reason=row.reason,
    )


def _shown(value: Any) -> str:
    if value in (None, "", []):
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)

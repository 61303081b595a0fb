"""Staff edit the work map of a domain: add, change, move and retire work types, set its facts."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Category, Domain
from curation.tasks.work_map.models import WorkMap, WorkMapChange, WorkType
from curation.tasks.work_map.rules import (
    facts_problems,
    read_bins,
    share_problem,
    work_type_problems,
)

Kind = WorkMapChange.Kind
LINES = ("name", "name_zh", "interview_source")
VALUES = (
    *("name", "name_zh", "share", "importance", "feasible", "evaluable", "simulation"),
    *("interviews", "interviewed_on", "interview_source"),
)
FACTS = (
    *("market_size", "market_currency", "market_year", "market_source"),
    *("time_bins", "reverify_days"),
)


def key_of(name: str) -> str:
    """Return the key that a work type gets from its name."""
    return slugify(name, allow_unicode=True)[:60].strip("-_")


def lock_map(domain: Domain, version: int | None = None) -> WorkMap:
    """Lock the map of a domain, so that changes run one after the other, and return it.

    Args:
        version: the version that the page was read with; None to take any.

    Raises:
        Conflict: `changed_meanwhile`.
    """
    Domain.objects.select_for_update().only("pk").get(pk=domain.pk)
    held, _made = WorkMap.objects.get_or_create(domain=domain)
    if version is not None and held.version != version:
        raise Conflict(
            _(
                "Somebody changed this work map after you opened the page, so nothing was saved. "
                "Load the page again, and repeat your change."
            ),
            code="changed_meanwhile",
        )
    return held


def record(
    work_map: WorkMap,
    kind: str,
    *,
    by: Any,
    work_type: WorkType | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
) -> None:
    """Write one change to the history of a locked map and count its version up."""
    work_map.version += 1
    work_map.save(update_fields=["version"])
    WorkMapChange.objects.create(
        domain=work_map.domain,
        work_type=work_type,
        kind=kind,
        before=plain(before or {}),
        after=plain(after or {}),
        reason=reason,
        actor=by,
    )


def plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as JSON has them: amounts as text, days as ISO 8601, categories by key."""
    return {
        name: value.isoformat()
        if isinstance(value, date)
        else f"{value.normalize():f}"
        if isinstance(value, Decimal)
        else getattr(value, "key", value)
        for name, value in values.items()
    }


def tidy(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a work type as they are stored."""
    found = {name: values[name] for name in VALUES}
    for name in LINES:
        found[name] = storable.one_line(found[name]).strip()
    found["simulation"] = storable.clean(found["simulation"])
    return found


def _check(domain: Domain, category: Category, values: Mapping[str, Any], apart: int = 0) -> None:
    problems = work_type_problems(values)
    if category.domain_id != domain.pk:
        problems["category"] = [_("This category belongs to another domain.")]
    if "share" not in problems and (sentence := _too_much(domain, values["share"], apart)):
        problems["share"] = [sentence]
    if problems:
        raise BadInput(fields=problems)


def _too_much(domain: Domain, share: Decimal | None, apart: int = 0) -> str:
    """Return the sentence if a share and those of the others exceed 100 %; else empty."""
    if share is None:
        return ""
    others = WorkType.objects.filter(domain=domain, retired_at__isnull=True).exclude(pk=apart)
    return share_problem([*others.values_list("share", flat=True), share])


@action("staff.editing")
@transaction.atomic
def add_work_type(
    *, actor: Any, domain: Domain, version: int, category: Category, **values: Any
) -> WorkType:
    """Add a work type at the end of a domain's map.

    Args:
        version: of the map, as the page was read.
        values: one for each of VALUES; None for what is not known.

    Raises:
        BadInput: a value is out of range, the shares exceed 100 %, or the name is taken.
        Conflict: `changed_meanwhile`.
    """
    work_map = lock_map(domain, version)
    values = tidy(values)
    _check(domain, category, values)
    last = WorkType.objects.filter(domain=domain).order_by("-position").first()
    key = key_of(values["name"])
    if not key:
        raise BadInput(fields={"name": [_("A name needs a letter or a digit.")]})
    try:
        with transaction.atomic():
            made = WorkType.objects.create(
                domain=domain,
                category=category,
                key=key,
                position=(last.position if last else 0) + 1,
                **values,
            )
    except IntegrityError:
        raise BadInput(
            fields={"name": [_("This domain has a work type of this name already.")]}
        ) from None
    record(work_map, Kind.ADDED, by=actor, work_type=made, after={"category": category, **values})
    return made


@action("staff.editing")
@transaction.atomic
def change_work_type(
    *, actor: Any, work_type: WorkType, version: int, category: Category, **values: Any
) -> WorkType:
    """Change a work type. Its key stays, so that files and links still name it.

    Raises:
        BadInput: a value is out of range, or the shares exceed 100 %.
        Conflict: `changed_meanwhile`.
    """
    work_map = lock_map(work_type.domain, version)
    values = tidy(values)
    apart = work_type.pk
    if work_type.retired_at is None:
        _check(work_type.domain, category, values, apart)
    else:  # its share does not count until it is brought back
        _check(work_type.domain, category, values | {"share": None}, apart)
    before = {"category": work_type.category, **{n: getattr(work_type, n) for n in VALUES}}
    after = {"category": category, **values}
    changed = [name for name in after if plain({"v": before[name]}) != plain({"v": after[name]})]
    if not changed:
        return work_type
    for name in changed:
        setattr(work_type, name, after[name])
    work_type.save(update_fields=changed)
    record(
        work_map,
        Kind.CHANGED,
        by=actor,
        work_type=work_type,
        before={name: before[name] for name in changed},
        after={name: after[name] for name in changed},
    )
    return work_type


@action("staff.editing")
@transaction.atomic
def move_work_type(*, actor: Any, work_type: WorkType, version: int, by: int) -> WorkType:
    """Move a work type up (-1) or down (+1) in its domain; at the end it stays.

    Raises:
        Conflict: `changed_meanwhile`.
    """
    work_map = lock_map(work_type.domain, version)
    rows = list(WorkType.objects.filter(domain=work_type.domain, retired_at__isnull=True))
    here = next((n for n, row in enumerate(rows) if row.pk == work_type.pk), None)
    if here is None or not 0 <= here + by < len(rows):
        return work_type
    rows[here], rows[here + by] = rows[here + by], rows[here]
    for position, row in enumerate(rows, start=1):
        row.position = position
    WorkType.objects.bulk_update(rows, ["position"])
    record(work_map, Kind.MOVED, by=actor, work_type=work_type, after={"position": here + by + 1})
    return work_type


@action("staff.editing")
@transaction.atomic
def retire_work_type(*, actor: Any, work_type: WorkType, version: int, reason: str) -> WorkType:
    """Retire a work type: it keeps its tasks, and is no longer offered or counted as a gap.

    Raises:
        BadInput: no reason.
        Conflict: `changed_meanwhile`, or it is retired already.
    """
    reason = required_reason(reason, _("Say in a sentence why it is retired."))
    work_map = lock_map(work_type.domain, version)
    if not WorkType.objects.filter(pk=work_type.pk, retired_at__isnull=True).update(
        retired_at=timezone.now()
    ):
        raise Conflict(_("This work type is retired already."), code="wrong_stage")
    record(work_map, Kind.RETIRED, by=actor, work_type=work_type, reason=reason)
    return work_type


@action("staff.editing")
@transaction.atomic
def restore_work_type(*, actor: Any, work_type: WorkType, version: int) -> WorkType:
    """Bring a retired work type back.

    Raises:
        BadInput: with its share the domain would exceed 100 %.
        Conflict: `changed_meanwhile`, or it is not retired.
    """
    work_map = lock_map(work_type.domain, version)
    if sentence := _too_much(work_type.domain, work_type.share, work_type.pk):
        raise BadInput(sentence)
    if not WorkType.objects.filter(pk=work_type.pk, retired_at__isnull=False).update(
        retired_at=None
    ):
        raise Conflict(_("This work type is in use already."), code="wrong_stage")
    record(work_map, Kind.RESTORED, by=actor, work_type=work_type)
    return work_type


@action("staff.editing")
@transaction.atomic
def set_facts(*, actor: Any, domain: Domain, version: int, **values: Any) -> WorkMap:
    """Set the market, the bins of the histogram and the days of re-verification of a domain.

    Args:
        values: one for each of FACTS; `time_bins` as typed ("5, 20, 40") or as a list.

    Raises:
        BadInput: a value is out of range, or only a part of the market is known.
        Conflict: `changed_meanwhile`.
    """
    work_map = lock_map(domain, version)
    values = {name: values[name] for name in FACTS}
    if isinstance(values["time_bins"], str):
        values["time_bins"] = read_bins(values["time_bins"])
    values["market_currency"] = values["market_currency"].strip().upper()
    values["market_source"] = storable.one_line(values["market_source"]).strip()
    if problems := facts_problems(values):
        raise BadInput(fields=problems)
    before = {name: getattr(work_map, name) for name in FACTS}
    changed = [name for name in FACTS if plain({"v": before[name]}) != plain({"v": values[name]})]
    if not changed:
        return work_map
    for name in changed:
        setattr(work_map, name, values[name])
    work_map.save(update_fields=changed)
    record(
        work_map,
        Kind.FACTS,
        by=actor,
        before={name: before[name] for name in changed},
        after={name: values[name] for name in changed},
    )
    return work_map

"""What lines of tasks from business have beside others: owner, permission, day, hourly rate."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Record
from curation.tasks.business.actions import record_problems
from curation.tasks.task.models import Task
from judge.gold.transfer.task_line import COLLECTED, amount_of

# The columns of the record by the fields of a line.
_FIELDS = {
    "owner": "owner",
    "permitted_by": "permission",
    "permitted_on": "permission",
    "permission_scope": "permission",
    "permission_text": "permission",
    "permission_document": "permission",
    "collected_on": "collected_on",
    "hourly_rate": "hourly_rate",
}


def check_collected(record: Record, faults: Faults, *, collected: bool) -> None:
    """Add the faults of a line's owner and permission; other tasks must not have them."""
    if not collected:
        for name in COLLECTED:
            if record.get(name) is not None:
                faults.add(
                    record.line, name, _("Only a task from business has this: use --collected.")
                )
        return
    refused = {fault.field.split(".")[0] for fault in faults.found if fault.line == record.line}
    values = record_of(record.values)
    rate = record.get("hourly_rate")
    problems = record_problems({**values, "hourly_rate": amount_of(rate) if rate else None})
    for column, sentences in problems.items():
        if _FIELDS[column] not in refused:
            faults.add(record.line, _FIELDS[column], sentences[0])


def record_of(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a collected task from its line; what the line lacks is empty."""
    permission = line.get("permission") or {}
    return {
        "owner": line.get("owner", ""),
        "permitted_by": permission.get("by", ""),
        "permitted_on": _day(permission.get("on")),
        "permission_scope": permission.get("scope", ""),
        "permission_text": permission.get("text", ""),
        "permission_document": permission.get("document", ""),
        "collected_on": _day(line.get("collected_on")),
    }


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:  # the line has a fault that says so
        return None


def stored_fact(task: Task, name: str) -> Any:
    """Return a fact of a stored task as a line has it, to compare the two."""
    held = task.collection
    if name in ("owner", "collected_on"):
        value: Any = getattr(held, name, None)
    elif name == "permission":
        value = held and {
            "by": held.permitted_by,
            "on": held.permitted_on.isoformat(),
            "scope": held.permission_scope,
            "text": held.permission_text,
            "document": held.permission_document,
        }
    else:
        value = getattr(task, name)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return getattr(value, "key", value)


def fact_of(name: str, value: Any) -> Any:
    """Return a fact of a line in the form of `stored_fact`."""
    if name == "permission":
        return {key: value.get(key, "") for key in ("by", "on", "scope", "text", "document")}
    if name == "hourly_rate":
        amount = amount_of(value)
        return amount and f"{amount.normalize():f}"
    return value

"""Facts about entries, and loading one with authority."""

from typing import Any

from curation.base.web.refusals import NotFound
from curation.staff.honoraria.collect import in_use
from curation.staff.honoraria.models import HonorariumRate, PayrollFile


def is_not_its_payee(user: Any, thing: Any) -> bool:
    """Return whether an entry is about the work of somebody else."""
    return bool(thing.person_id != user.pk)


def did_not_write_its_task_or_rubric(user: Any, thing: Any) -> bool:
    """Return whether it is not about a task of the person, whose author learns no names."""
    task = thing.task
    return task is None or user.pk not in (task.author_id, task.rubric_author_id)


def refuse_without_rates() -> None:
    """Refuse a page of experts while the programme pays nothing.

    Raises:
        NotFound: no rate is set and nothing was ever decided.
    """
    if not in_use():
        raise NotFound


def access_rate(pk: int) -> HonorariumRate:
    """Return a rate, on routes for staff only. Raises NotFound if there is none."""
    found = HonorariumRate.objects.filter(pk=pk).first()
    if found is None:
        raise NotFound
    return found


def access_payroll(number: int) -> PayrollFile:
    """Return a payroll file by its number, on routes for staff only. Raises NotFound."""
    found = PayrollFile.objects.filter(number=number).first()
    if found is None:
        raise NotFound
    return found

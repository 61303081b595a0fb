"""The part of an amendment that changes an exact answer: plain data before and after."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from curation.base.web.refusals import BadInput
from curation.tasks.task import exact_checks as checks
from curation.tasks.task.exact_actions import clean_exact, refuse_other_forms, write_exact
from curation.tasks.task.exact_models import ExactAnswer
from curation.tasks.task.exact_queries import FIELDS, steps_of, written_by
from curation.tasks.task.models import Task

Change = dict[str, dict[str, Any]]


def exact_difference(task: Task, wanted: Mapping[str, Any]) -> Change | None:
    """Return {"before": …, "after": …} of the exact answer; None where nothing differs.

    Args:
        wanted: all of `FIELDS`.

    Raises:
        BadInput: a value cannot be stored, or the answer would have a gap.
        Conflict: `wrong_form`, an answer to the task is a text.
    """
    refuse_other_forms(task)
    exact = ExactAnswer.objects.get(task_id=task.pk)
    values = clean_exact(wanted)
    before, after = _plain(exact), _plain(ExactAnswer(**values))
    if before == after:
        return None
    proposed = ExactAnswer.objects.get(pk=exact.pk)
    for name, value in values.items():
        setattr(proposed, name, value)
    gaps = checks.gaps(written_by(proposed, steps_of(exact), task)).get("answer")
    if gaps:
        raise BadInput(fields={"answer": gaps})
    return {"before": before, "after": after}


def _plain(exact: ExactAnswer) -> dict[str, Any]:
    values = {name: getattr(exact, name) for name in FIELDS}
    tolerance = values["tolerance"]
    return values | {"tolerance": None if tolerance is None else f"{tolerance.normalize():f}"}


def _stored(plain: Mapping[str, Any]) -> dict[str, Any]:
    tolerance = plain["tolerance"]
    return {**plain, "tolerance": None if tolerance is None else Decimal(tolerance)}


def words_of(plain: Mapping[str, Any]) -> str:
    """Return an exact answer, as `exact_difference` keeps it, on one line."""
    return checks.in_words(ExactAnswer(**_stored(plain)).expected)


def exact_moved_on(task: Task, change: Mapping[str, Any] | None) -> bool:
    """Return whether the exact answer is no longer the one that an amendment changes."""
    if change is None:
        return False
    return _plain(ExactAnswer.objects.get(task_id=task.pk)) != change["before"]


def write_amended(task: Task, change: Mapping[str, Any]) -> None:
    """Store the exact answer of an agreed amendment. The caller has locked the task."""
    exact = ExactAnswer.objects.select_for_update().get(task_id=task.pk)
    write_exact(task, exact, _stored(change["after"]))

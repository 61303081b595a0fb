"""The errata list of a release: reports upheld on earlier ones, and what changed since.

It follows from the rows alone and names no release that comes later, so that the same tasks give
the same files.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from curation.tasks.amendments.models import Amendment
from curation.tasks.task.fields import PARTS
from judge.base.gold_sets.models import GoldItem
from judge.gold.releases.errata import Erratum


class Held(NamedTuple):
    """A task as a release holds it: key and number of the rubric's version, version of the text."""

    rubric: int
    rubric_number: int
    text: int


class Outcome(StrEnum):
    """What became of a wrong task, as the files say it."""

    CORRECTED = "corrected"
    UNCHANGED = "not corrected yet"
    LEFT_OUT = "not in this release"


def upheld_errata(now: Mapping[int, Held]) -> list[dict[str, Any]]:
    """Return the rows of the list, the oldest report first, in English. Three queries.

    Args:
        now: key of a task -> as the new release holds it.

    Each row has `task`, `kind`, `what_was_wrong`, `reported_on` and `wrong_since` (numbers of
    releases), `outcome`, `changed` (parts of the text, and "rubric") and `rubric_versions` (the
    wrong one and that of this release; empty where it is the same or the task is not here).
    """
    errata = list(
        Erratum.objects.filter(state=Erratum.State.UPHELD)
        .order_by("pk")
        .select_related("task", "release")
    )
    if not errata:
        return []
    tasks = {one.task_id for one in errata}
    before: dict[int, dict[int, Held]] = {task: {} for task in tasks}  # task -> release -> held
    for task, release, rubric, number, text in (
        GoldItem.objects.filter(task__in=tasks)
        .order_by("release__number")
        .values_list("task_id", "release__number", "version_id", "version__number", "text_version")
    ):
        before[task][release] = Held(rubric, number, text)
    amended = _amended_parts(tasks)
    return [
        _row(one, before[one.task_id], now.get(one.task_id), amended.get(one.task_id, ()))
        for one in errata
    ]


_Amended = Iterable[tuple[int, Iterable[str]]]  # version of the text -> parts it changed


def _row(
    one: Erratum, before: Mapping[int, Held], now: Held | None, amended: _Amended
) -> dict[str, Any]:
    wrong = before[one.release.number]
    since = min(
        number
        for number, held in before.items()
        if (held.rubric, held.text) == (wrong.rubric, wrong.text)
    )
    changed: list[str] = []
    if now is not None:
        parts = {
            part for version, names in amended if wrong.text < version <= now.text for part in names
        }
        changed = sorted(parts, key=PARTS.index)
        changed += ["rubric"] if now.rubric != wrong.rubric else []
    outcome = (
        Outcome.LEFT_OUT if now is None else Outcome.CORRECTED if changed else Outcome.UNCHANGED
    )
    numbers = [wrong.rubric_number, now.rubric_number] if now and "rubric" in changed else []
    return {
        "task": one.task.key,
        "kind": str(one.kind),
        "what_was_wrong": one.answer,
        "reported_on": one.release.number,
        "wrong_since": since,
        "outcome": outcome.value,
        "changed": changed,
        "rubric_versions": numbers,
    }


def _amended_parts(tasks: Iterable[int]) -> dict[int, list[tuple[int, list[str]]]]:
    rows = Amendment.objects.filter(task__in=list(tasks), state=Amendment.State.AGREED)
    found: dict[int, list[tuple[int, list[str]]]] = {}
    for task, version, after in rows.order_by("pk").values_list("task_id", "text_version", "after"):
        if version is not None:  # an agreed one has it
            found.setdefault(task, []).append((version, list(after)))
    return found

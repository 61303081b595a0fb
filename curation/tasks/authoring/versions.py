"""Actions that keep earlier texts of a draft and restore one."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.text import storable
from curation.base.web.refusals import Conflict, Stale
from curation.tasks.task.fields import PARTS, answers_exactly
from curation.tasks.task.models import Task, TextVersion

KEEP_INTERVAL = timedelta(minutes=10)  # between two texts kept while writing
AT_MOST = 50  # texts kept while writing; submitted and replaced ones stay without a limit
Why = TextVersion.Why


def texts_of(thing: Any) -> dict[str, str]:
    """Return the texts of a task as a version keeps them: field -> text."""
    return {name: getattr(thing, name) for name in PARTS}


def keep_replaced_text(before: Any, now: Any) -> TextVersion | None:
    """Keep the text that a save replaced, unless one was kept within KEEP_INTERVAL.

    Args:
        before: the task before the save.
        now: the task after the save.
    """
    parts = texts_of(before)
    if parts == texts_of(now) or all(storable.is_blank(part) for part in parts.values()):
        return None
    last = (
        TextVersion.objects.filter(task_id=before.pk)
        .order_by("-number")
        .only("at", "parts")
        .first()
    )
    since = last.at if last else before.created_at
    if timezone.now() - since < KEEP_INTERVAL or (last and last.parts == parts):
        return None
    kept = _keep(before.pk, Why.WRITING, parts)
    _delete_oldest(before.pk)
    return kept


def keep_submitted_text(task: Any) -> TextVersion:
    """Keep the text that the panel gets, in the transaction of the submission."""
    return _keep(task.pk, Why.SUBMITTED, texts_of(task))


def keep_amended_text(task: Any) -> TextVersion:
    """Keep the text that an amendment replaces, in the transaction of the agreement."""
    return _keep(task.pk, Why.AMENDED, texts_of(task))


def _keep(task_id: int, why: str, parts: Mapping[str, str]) -> TextVersion:
    """Store the next version. The caller has locked the task's row, so numbers are unique."""
    last = TextVersion.objects.filter(task_id=task_id).aggregate(n=Max("number"))["n"] or 0
    return TextVersion.objects.create(
        task_id=task_id, number=last + 1, why=why, parts=dict(parts), at=timezone.now()
    )


def _delete_oldest(task_id: int) -> None:
    """Delete the oldest texts kept while writing, beyond AT_MOST."""
    kept = TextVersion.objects.filter(task_id=task_id, why=Why.WRITING).order_by("-number")
    oldest = list(kept.values_list("pk", flat=True)[AT_MOST:])
    if oldest:
        TextVersion._base_manager.filter(pk__in=oldest).delete()


@action("task.write", about="task")
@transaction.atomic
def restore_text(*, actor: Any, task: Task, number: int, version: int) -> Task:
    """Restore an earlier text of a draft, and keep the current one as a version.

    Args:
        number: number of the earlier text; it must exist.
        version: version of the draft when the person decided.

    Raises:
        Denied: somebody else's draft.
        Conflict: `wrong_stage` if the task is no draft.
        Stale: the draft was saved since; nothing is changed.
        TextVersion.DoesNotExist: there is no such text.
    """
    task.refresh_from_db(from_queryset=Task.objects.select_for_update())
    if task.stage != Stage.DRAFT:
        raise Conflict(
            _("This task was submitted, so its text can no longer be changed here."),
            code="wrong_stage",
            data={"stage": task.stage},
        )
    older = TextVersion.objects.get(task=task, number=number)
    if task.version != version:
        raise Stale(
            data={
                "yours": older.parts,
                "theirs": texts_of(task),
                "version": task.version,
                "at": task.updated_at.isoformat(),
            }
        )
    wanted = {name: older.parts.get(name, "") for name in PARTS}
    if answers_exactly(task):  # its answer is kept on a page of its own
        wanted["reference_answer"] = task.reference_answer
    if wanted == texts_of(task):
        return task
    _keep(task.pk, Why.RESTORED, texts_of(task))
    Task.objects.filter(pk=task.pk).update(**wanted, version=version + 1, updated_at=timezone.now())
    task.refresh_from_db()
    return task

"""Retire a task from draws, and put it back."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict
from curation.tasks.task.models import Task
from judge.base.gold_sets.retirement_models import Retirement

REASON_LIMIT = 2000  # characters


@action("task.retire", about="task")
@transaction.atomic
def retire_task(*, actor: Any, task: Task, reason: str) -> Retirement:
    """Retire an approved task: no new draw takes it. It stays approved, and no score changes.

    Raises:
        BadInput: no reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: `wrong_stage`, the task is not approved; `never_drawn`, it was imported;
            `retired_already`.
    """
    reason = required_reason(reason, _("Say why no draw should take it."), limit=REASON_LIMIT)
    locked = Task.objects.select_for_update(of=("self",)).get(pk=task.pk)
    if locked.external:
        raise Conflict(_("A task of another benchmark is in no draw."), code="never_drawn")
    if locked.is_skill:
        raise Conflict(_("A skill is in no draw."), code="never_drawn")
    if locked.stage != Stage.APPROVED:
        raise Conflict(_("Only an approved task is in draws."), code="wrong_stage")
    if Retirement.objects.filter(task=locked, ended_at__isnull=True).exists():
        raise Conflict(_("This task is retired already."), code="retired_already")
    made = Retirement.objects.create(task=locked, reason=reason, by=actor)
    locked.note("retired", actor=actor, reason=reason)
    return made


@action("task.retire", about="task")
@transaction.atomic
def put_back(*, actor: Any, task: Task, reason: str) -> None:
    """Put a retired task back: new draws can take it again.

    Raises:
        BadInput: no reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: `not_retired`.
    """
    reason = required_reason(reason, _("Say why draws can take it again."), limit=REASON_LIMIT)
    locked = Task.objects.select_for_update(of=("self",)).get(pk=task.pk)
    ended = Retirement.objects.filter(task=locked, ended_at__isnull=True).update(
        ended_at=timezone.now(), ended_by=actor, ended_reason=reason
    )
    if not ended:
        raise Conflict(_("This task is not retired now."), code="not_retired")
    locked.note("put_back_into_draws", actor=actor, reason=reason)

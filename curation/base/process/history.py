"""Append-only rows, histories, and `advance`, the only way a stage changes."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.lifecycle import Process, StageSpec
from curation.base.process.signals import stage_entered
from curation.base.web.refusals import Conflict


class AppendOnlyRows(models.QuerySet[Any]):
    """A query set that refuses to change or delete rows."""

    def update(self, **values: Any) -> int:
        raise TypeError(f"{self.model.__name__} rows are never changed.")

    def bulk_update(self, *args: Any, **kwargs: Any) -> int:
        raise TypeError(f"{self.model.__name__} rows are never changed.")

    def delete(self) -> Any:
        raise TypeError(f"{self.model.__name__} rows are never deleted.")

    update.alters_data = True  # type: ignore[attr-defined]
    delete.alters_data = True  # type: ignore[attr-defined]
    delete.queryset_only = True  # type: ignore[attr-defined]


class AppendOnly(models.Model):
    """A row that is never changed or deleted: history that can be edited proves nothing.

    Only the sample programme bypasses this, to move its events into the past.
    """

    objects = AppendOnlyRows.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None and not self._state.adding:
            raise TypeError(f"{type(self).__name__} rows are never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{type(self).__name__} rows are never deleted.")


class StaffAct(AppendOnly):
    """A step of staff on a person's qualification or account: who, when, why."""

    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True
        ordering = ("at", "id")


def reasoned(name: str) -> models.CheckConstraint:
    """Return a constraint that the reason is not empty."""
    return models.CheckConstraint(condition=~models.Q(reason=""), name=name)


class StageEvent(AppendOnly):
    """A history row: a move from stage to stage, or a note."""

    at = models.DateTimeField(default=timezone.now)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )  # null: the machine
    from_stage = models.CharField(max_length=20, blank=True)
    to_stage = models.CharField(max_length=20)
    reason = models.TextField(blank=True)
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        abstract = True
        ordering = ("at", "id")


class Staged(models.Model):
    """A thing with a stage, which only `advance` changes: a compare-and-swap and a history row."""

    process: ClassVar[Process]
    history: Any  # reverse relation of the subclass's event model
    stage: Any  # the subclass's column: each has choices of its own

    stage_since = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True

    @property
    def stage_spec(self) -> StageSpec:
        return self.process.stages[self.stage]

    def advance(self, to: str, *, actor: Any, reason: str = "", **data: Any) -> None:
        """Move to another stage and write the history row, in one transaction.

        Args:
            to: the stage to move to.
            actor: the person who moves it; None for the machine.
            reason: shown in the history.
            data: further facts for the history row (JSON-able).

        Raises:
            Conflict: `wrong_stage` if the process has no such move, `stage_changed` if the thing
                was moved since it was loaded.
        """
        before: str = self.stage
        self.process.check(before, to)
        now = timezone.now()
        rows: models.QuerySet[Any] = type(self)._default_manager.filter(pk=self.pk)
        with transaction.atomic():
            moved = rows.filter(stage=before).update(stage=to, stage_since=now)
            if not moved:
                raise Conflict(
                    _("Somebody moved this on before you, so your step was not taken."),
                    code="stage_changed",
                )
            self.history.create(
                at=now, actor=actor, from_stage=before, to_stage=to, reason=reason, data=data
            )
            self.stage = to
            self.stage_since = now
            stage_entered.send(sender=type(self), instance=self, stage=to)

    def note(self, event: str, *, actor: Any, reason: str = "", **data: Any) -> None:
        """Write a history row for an event that moves nothing.

        Args:
            event: its code in the noun's table of events.
            actor, reason, data: as for `advance`.
        """
        self.history.create(
            actor=actor,
            from_stage=self.stage,
            to_stage=self.stage,
            reason=reason,
            data={"event": event, **data},
        )

    def record_start(self, *, actor: Any, **data: Any) -> None:
        """Write the first history row of a new thing.

        Args:
            actor, data: as for `advance`.
        """
        self.history.create(
            actor=actor,
            from_stage="",
            to_stage=self.stage,
            data=data,
        )
        stage_entered.send(sender=type(self), instance=self, stage=self.stage)

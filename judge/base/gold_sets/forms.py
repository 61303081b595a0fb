"""The form fields that choose a set of tasks."""

from contextlib import suppress
from functools import cache
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from curation.base.web.refusals import BadInput
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.task_sets import ALL, EVERY_TASK, OPEN, TaskSet

_Choice = tuple[str, str]


class TaskSetField(forms.CharField):
    """A choice of a set of tasks; its value is a `TaskSet`, for an empty choice `open`.

    Any name is taken, since older draws and releases are not among the choices.
    """

    def __init__(self, *, with_held_out: bool = True, **kwargs: Any) -> None:
        kwargs.setdefault("label", _("Tasks"))
        kwargs.setdefault("required", False)
        super().__init__(max_length=60, widget=forms.Select, **kwargs)
        self.with_held_out = with_held_out

    def offer(self, chosen: str | None = "") -> None:
        """Offer the choices; call it where the form is made.

        Args:
            chosen: the name in the address or the form; offered even if it is an old one, so that
                the page never shows another set than the one it is asked for.
        """
        # A callable, so that the choices are read where they are shown, and once.
        self.widget.choices = cache(lambda: self._choices(chosen or ""))  # type: ignore[attr-defined]

    @property
    def has_sets(self) -> bool:
        """Whether there is any draw or release to choose."""
        return any(":" in name for name, _label in self.widget.choices)  # type: ignore[attr-defined]

    def _choices(self, chosen: str) -> list[_Choice]:
        offered = self._named(task_sets.choices(with_held_out=self.with_held_out))
        if chosen and chosen not in dict(offered):
            with suppress(BadInput):  # the form refuses it by its name
                offered.append((chosen, task_sets.parse(chosen).label))
        return offered

    def _named(self, rows: list[_Choice]) -> list[_Choice]:
        """Return the choices with what the empty one means in this field."""
        return rows

    def clean(self, value: Any) -> TaskSet:  # type: ignore[override]
        try:
            return task_sets.parse(super().clean(value), field="tasks")
        except BadInput as refusal:
            raise ValidationError(str(refusal.detail)) from refusal


class ReportSetField(TaskSetField):
    """A choice of the set that a report is about; its value is the name, "" for the run's own."""

    def _named(self, rows: list[_Choice]) -> list[_Choice]:
        (_empty, label), *others = rows
        return [("", str(_("As the run was planned"))), (OPEN, label), *others]

    def clean(self, value: Any) -> str:  # type: ignore[override]
        return str(super().clean(value)) if value else ""


class OrderedSetField(TaskSetField):
    """A choice of the set that answers are ordered for; an empty choice is every task.

    Held-out tasks are among them: they are kept from those who tune judges, not from candidates.
    """

    def _named(self, rows: list[_Choice]) -> list[_Choice]:
        _empty, *others = rows
        return [("", str(_("All tasks"))), *(row for row in others if row[0] != ALL)]

    def clean(self, value: Any) -> TaskSet:  # type: ignore[override]
        return super().clean(value) if value else EVERY_TASK

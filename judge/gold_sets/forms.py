"""The form field that chooses a set of tasks."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from curation.web.refusals import BadInput
from judge.gold_sets import task_sets
from judge.gold_sets.task_sets import TaskSet


class TaskSetField(forms.CharField):
    """A choice of a set of tasks; its value is a `TaskSet`, for an empty choice `open`.

    Any name is taken, since older draws and releases are not among the choices.
    """

    def __init__(self, *, with_held_out: bool = True, **kwargs: Any) -> None:
        kwargs.setdefault("label", _("Tasks"))
        kwargs.setdefault("required", False)
        super().__init__(max_length=60, widget=forms.Select, **kwargs)
        self.with_held_out = with_held_out

    def offer(self) -> None:
        """Read the choices; call it where the form is made."""
        self.widget.choices = task_sets.choices(with_held_out=self.with_held_out)  # type: ignore[attr-defined]

    def clean(self, value: Any) -> TaskSet:  # type: ignore[override]
        try:
            return task_sets.parse(super().clean(value), field="tasks")
        except BadInput as refusal:
            raise ValidationError(str(refusal.detail)) from refusal

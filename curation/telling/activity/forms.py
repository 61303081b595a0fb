"""The filter of a task's history."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.process.events import ActKind
from curation.base.web.fields import DayField
from curation.telling.activity.trail import Filters


class StoryFilter(forms.Form):
    """The filter of a history: person, kind, version and period."""

    who = forms.ChoiceField(required=False, label=_("Who"))
    kind = forms.ChoiceField(
        required=False, label=_("What"), choices=[("", _("Everything")), *ActKind.choices]
    )
    version = forms.TypedChoiceField(
        required=False, label=_("Version"), coerce=int, empty_value=None
    )
    after = DayField(label=_("From"))
    before = DayField(label=_("To"))
    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    format = forms.ChoiceField(
        required=False,
        choices=[("", ""), ("csv", "csv"), ("jsonl", "jsonl")],
        widget=forms.HiddenInput,
    )

    def __init__(self, data: Any, *, people: list[tuple[str, str]], versions: list[int]) -> None:
        super().__init__(data)
        everybody: list[tuple[str, Any]] = [("", _("Everybody"))]
        every: list[tuple[str, Any]] = [("", _("All versions"))]
        self.fields["who"].choices = everybody + people  # type: ignore[attr-defined]
        self.fields["version"].choices = every + [  # type: ignore[attr-defined]
            (str(n), str(n)) for n in versions
        ]

    def filters(self) -> Filters:
        """Return the filters for the trail."""
        wanted = ("who", "kind", "version", "after", "before")
        return Filters(**{name: self.cleaned_data[name] for name in wanted})

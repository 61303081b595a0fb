"""The form of the leaderboard: which run, grouped by what."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from judge.leaderboard import queries


class BoardForm(forms.Form):
    """A run and a grouping, both optional."""

    run = forms.ChoiceField(label=_("Run"), required=False)
    by = forms.ChoiceField(
        label=_("Columns"),
        choices=[
            ("domain", _("By domain")),
            ("dimension", _("By dimension")),
            ("importance", _("By importance")),
        ],
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["run"].choices = [("", ""), *queries.runs()]  # type: ignore[attr-defined]

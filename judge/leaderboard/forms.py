"""Which run is shown, and by which groups."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from judge.leaderboard import queries as leaderboard


class BoardForm(forms.Form):
    """A run and a grouping; both have defaults."""

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
        self.fields["run"].choices = [("", ""), *leaderboard.runs()]  # type: ignore[attr-defined]

"""The form of the leaderboard: which judge, grouped by what."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from judge.base.gold_sets.forms import ReportSetField
from judge.results.alignment.raters import judges


class BoardForm(forms.Form):
    """A judge (a run or a rater) and a grouping, both optional."""

    run = forms.ChoiceField(label=_("Judge"), required=False)
    by = forms.ChoiceField(
        label=_("Columns"),
        choices=[
            ("domain", _("By domain")),
            ("category", _("By category")),
            ("dimension", _("By dimension")),
            ("importance", _("By importance")),
        ],
        required=False,
    )
    tasks = ReportSetField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["tasks"].offer(self["tasks"].value())  # type: ignore[attr-defined]
        self.fields["run"].choices = [("", ""), *judges()]  # type: ignore[attr-defined]

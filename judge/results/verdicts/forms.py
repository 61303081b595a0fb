"""Forms of the pages of verdicts: the filter, and a flag."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import PageForm, reason_field
from curation.joining.domains.forms import domain_filter
from judge.asking.candidates.models import Candidate
from judge.base.gold_sets.forms import ReportSetField
from judge.results.alignment.raters import judges
from judge.results.flags.flags import anchor_of
from judge.results.verdicts import response_list, response_page
from judge.runs.engine.models import RunItem
from rubrics.policy.dimensions import Importance, dimension_choices


class VerdictFilter(PageForm):
    """Whose verdicts, on which responses, and on which of their lines."""

    # Any name is taken: older runs are not among the choices, and `find_judge` refuses others.
    judge = forms.CharField(label=_("Judge"), required=False, widget=forms.Select)
    candidate = forms.ChoiceField(label=_("Candidate"), required=False)
    domain = domain_filter(external=True)
    tasks = ReportSetField()
    state = forms.ChoiceField(
        label=_("State"), choices=[("", _("All")), *RunItem.State.choices], required=False
    )
    only = forms.ChoiceField(
        label=_("Only"),
        choices=[
            ("", _("All responses")),
            (response_list.WITH_SHEET, _("Scored by experts")),
            (response_list.FLAGGED, _("With a flagged verdict")),
        ],
        required=False,
    )
    order = forms.ChoiceField(
        label=_("Order"),
        choices=[
            (response_list.BY_TASK, _("By task")),
            (response_list.LOWEST, _("Lowest score first")),
            (response_list.HIGHEST, _("Highest score first")),
        ],
        required=False,
    )
    flag = forms.CharField(required=False)  # anchor of the verdict whose form stands open
    lines = forms.ChoiceField(
        label=_("Lines"),
        choices=[
            ("", _("All lines")),
            (response_page.DIFFER, _("Judge and expert differ")),
            (response_page.JUDGES, _("Two judges differ")),
            (response_page.UNMET, _("Unmet")),
            (response_page.UNDECIDED, _("Without a verdict")),
            (response_page.FLAGGED, _("Flagged")),
        ],
        required=False,
    )
    importance = forms.ChoiceField(
        label=_("Importance"), choices=[("", _("All")), *Importance.choices], required=False
    )
    dimension = forms.ChoiceField(
        label=_("Dimension"), choices=[("", _("All")), *dimension_choices()], required=False
    )

    LIST = (
        "judge",
        "tasks",
        "candidate",
        "domain",
        "state",
        "only",
        "order",
        "importance",
        "dimension",
    )
    PAGE = ("lines", "importance", "dimension")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["tasks"].offer(self["tasks"].value())  # type: ignore[attr-defined]
        names = Candidate.objects.values_list("name", flat=True)
        self.fields["judge"].widget.choices = judges()
        self.fields["candidate"].choices = [  # type: ignore[attr-defined]
            ("", _("All candidates")),
            *((name, name) for name in names),
        ]

    def wanted(self) -> dict[str, Any]:
        """Return what narrows the list of responses, with the domain's key."""
        values = self.cleaned_data
        return {**values, "domain": values["domain"].key if values["domain"] else ""}

    def line_fields(self) -> dict[str, str]:
        """Return the fields of a rubric line that narrow the lines, with their values."""
        values = self.cleaned_data
        return {name: values[name] for name in ("importance", "dimension") if values[name]}

    def of(self, *names: str) -> list[forms.BoundField]:
        """Return some fields for a page, in the order of the names."""
        return [self[name] for name in names]


class FlagForm(forms.Form):
    """A flag on one verdict of the page; the action checks the reason.

    The verdict is one of a run, or a line of an imported judge's sheet.
    """

    verdict = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    sheet_line = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    reason = reason_field(_("Why is it wrong?"), rows=2)

    def clean(self) -> dict[str, Any]:
        """Refuse a form that names no verdict, or two."""
        values = super().clean() or {}
        if bool(values.get("verdict")) == bool(values.get("sheet_line")):
            raise forms.ValidationError(_("Choose the line whose verdict is wrong."))
        return values

    def anchor(self) -> str:
        """Return where the verdict stands on the page; "" if none is named."""
        return anchor_of(
            verdict=self.cleaned_data.get("verdict"),
            sheet_line=self.cleaned_data.get("sheet_line"),
        )

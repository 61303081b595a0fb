"""Forms of the shares of models that are right: whose scores, a decision, the rules."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.web.fields import set_numbers
from curation.base.web.forms import PageForm, reason_field
from curation.joining.domains.forms import domain_filter
from judge.base.gold_sets.forms import TaskSetField
from judge.base.products.models import EvaluationPeriod
from judge.results.alignment.raters import judges
from judge.results.difficulty import queries
from judge.results.difficulty.actions import RANGES

KEEP, LOOK = "keep", "look"


class SharesFilter(forms.Form):
    """Whose scores are counted, and of which tasks and answers."""

    # Any name is taken: older runs are not among the choices, and `find_judge` refuses others.
    judge = forms.CharField(label=_("Judge"), required=False, widget=forms.Select)
    tasks = TaskSetField()
    domain = domain_filter(external=True)
    period = forms.ModelChoiceField(
        queryset=EvaluationPeriod.objects.all(),
        to_field_name="key",
        required=False,
        label=pgettext_lazy("of evaluation", "Period"),
        empty_label=_("All answers"),
    )

    SHARED = ("judge", "tasks", "domain", "period")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["judge"].widget.choices = judges()
        self.fields["tasks"].offer()  # type: ignore[attr-defined]

    def wanted(self) -> dict[str, Any]:
        """Return the arguments of `queries.shares` besides the judge."""
        domain, period = self.cleaned_data["domain"], self.cleaned_data["period"]
        return {
            "tasks": self.cleaned_data["tasks"],
            "domain": domain.key if domain else "",
            "period": period.key if period else "",
        }

    def of(self, *names: str) -> list[forms.BoundField]:
        """Return some fields for a page, in the order of the names."""
        return [self[name] for name in names]


class ListFilter(SharesFilter, PageForm):
    """The same, and which tasks are listed."""

    show = forms.ChoiceField(
        label=_("Listed"),
        choices=[(queries.OPEN, _("With something to decide")), (queries.ANY, _("All"))],
        required=False,
    )

    LIST = (*SharesFilter.SHARED, "show")


class DecisionForm(forms.Form):
    """What staff do about a finding."""

    finding = forms.CharField(widget=forms.HiddenInput, required=False)
    decision = forms.ChoiceField(
        required=False,
        label=_("Decision"),
        choices=[
            (KEEP, _("Keep the task as it is")),
            (LOOK, _("Ask author and solvers for a second look")),
        ],
        widget=forms.RadioSelect,
    )
    reason = reason_field(
        help_text=_("For a second look: what author and solvers are to look at. They read it.")
    )


class RulesForm(forms.Form):
    """When something is said of a task."""

    fewest = forms.IntegerField(
        label=_("Fewest models with a scored answer"),
        help_text=_("With fewer nothing is said of a task."),
    )
    drop = forms.IntegerField(
        label=_("Too easy above (per cent of models that are right)"),
        help_text=_("Such a task is proposed to be dropped."),
    )
    look = forms.IntegerField(
        label=_("A second look below (per cent of models that are right)"),
    )
    agree = forms.IntegerField(
        label=_("A second look above (per cent of models with one other answer)"),
    )
    read = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    def limits(self) -> dict[str, int]:
        """Return the arguments of `actions.set_rules`."""
        return {name: self.cleaned_data[name] for name in RANGES}

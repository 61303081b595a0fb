"""Forms of spending: which calls to list, and the monthly budgets."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.base.web.once import ReadVersionField
from curation.joining.domains.policies import latest
from judge.asking.calls.cost import in_dollars, in_micro_dollars
from judge.asking.calls.limit_fields import BudgetField
from judge.asking.calls.models import Call, MonthlyBudget
from judge.asking.calls.monthly_budget import PURPOSES, limits
from judge.asking.providers import labels
from judge.runs.pages.spending_queries import FAILED, FURTHER, models_asked


class CallFilter(forms.Form):
    """Which calls to list; `before` and `after` are numbers of calls, as in kept addresses."""

    purpose = forms.ChoiceField(
        label=_("Purpose"), choices=[("", _("All")), *Call.Purpose.choices], required=False
    )
    model = forms.ChoiceField(label=_("Model"), required=False)
    outcome = forms.ChoiceField(
        label=_("Outcome"),
        choices=[("", _("All")), (FAILED, _("Failed")), (FURTHER, _("Asked again"))],
        required=False,
    )
    run = forms.IntegerField(label=_("Run"), min_value=1, max_value=2**63 - 1, required=False)
    before = forms.IntegerField(
        min_value=1, max_value=2**63 - 1, required=False, widget=forms.HiddenInput
    )
    after = forms.IntegerField(
        min_value=1, max_value=2**63 - 1, required=False, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        known = labels()
        self.fields["model"].choices = [  # type: ignore[attr-defined]
            ("", _("All")),
            *(
                (f"{provider}:{model}", f"{known.get(provider, provider)}, {model}")
                for provider, model in models_asked()
            ),
        ]


class BudgetForm(forms.Form):
    """Dollars a month for each purpose; empty for no limit."""

    read = ReadVersionField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        now = {purpose: in_dollars(micro) for purpose, micro in limits().items()}
        kwargs.setdefault("initial", {**now, "read": latest(MonthlyBudget)})
        super().__init__(*args, **kwargs)
        for purpose in PURPOSES:
            self.fields[purpose.value] = BudgetField(label=purpose.label)
        set_numbers(self.fields.values())

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `set_monthly_budget`."""
        data = self.cleaned_data
        micro = {purpose.value: in_micro_dollars(data[purpose.value]) for purpose in PURPOSES}
        return {**micro, "read": data["read"]}

"""What staff say of a candidate, and what it is asked to answer."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.domains.models import Domain
from curation.web.fields import set_numbers
from judge import providers
from judge.candidates.models import Candidate
from judge.generation.models import MOST_SAMPLES
from judge.prices.cost import MILLION
from judge.registry.actions import FIELDS, tasks_to_answer


class CandidateForm(forms.ModelForm):
    """Everything known of a candidate. The rules are in the action."""

    revision = forms.IntegerField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = Candidate
        fields = FIELDS
        widgets = {
            "kind": forms.RadioSelect,
            "released_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "retired_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "note": forms.Textarea(attrs={"rows": 3}),
        }
        help_texts = {
            "name": _("As its responses name it; it cannot be told apart by anything else."),
            "family": _("Who made it. Left empty, it is read from the name."),
            "model": _("With its provider it can be asked for responses here."),
            "price": _("For products without a price per token, or until the price table has it."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["provider"] = forms.ChoiceField(
            label=self.fields["provider"].label,
            required=False,
            choices=[
                ("", _("None: its responses are imported")),
                *((name, providers.label_of(name)) for name in providers.names()),
            ],
        )
        self.order_fields([*FIELDS, "revision"])
        if self.instance.pk:
            self.initial["revision"] = self.instance.revision

    def _post_clean(self) -> None:
        """The action checks the model's rules, and says them in the same words to the API."""

    def values(self) -> dict[str, Any]:
        """What the actions take."""
        return {name: self.cleaned_data.get(name) for name in FIELDS}


class OrderForm(forms.Form):
    """How often a candidate answers which tasks, within which limits."""

    samples = forms.IntegerField(
        label=_("Answers to each task"), min_value=1, max_value=MOST_SAMPLES, initial=1
    )
    domains = forms.MultipleChoiceField(
        label=_("Domains"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen: all."),
    )
    budget_usd = forms.DecimalField(
        label=_("Budget in dollars"),
        required=False,
        min_value=0,
        max_value=1_000_000,
        decimal_places=2,
        help_text=_("It stops before it would cost more. Empty: no limit in money."),
    )
    max_calls = forms.IntegerField(
        label=_("Most calls"),
        required=False,
        min_value=0,
        max_value=10_000_000,
        help_text=_("Failed calls count. Empty: no limit in calls."),
    )
    concurrency = forms.IntegerField(label=_("Calls at once"), min_value=1, max_value=32, initial=4)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        there = set(tasks_to_answer().values_list("domain__key", flat=True))
        self.fields["domains"].choices = [  # type: ignore[attr-defined]
            (domain.key, str(domain)) for domain in Domain.objects.all() if domain.key in there
        ]

    def values(self) -> dict[str, Any]:
        """What the action takes."""
        data = dict(self.cleaned_data)
        budget = data.pop("budget_usd")
        return {**data, "budget_micro": None if budget is None else int(budget * MILLION)}


class OrderLimitsForm(forms.Form):
    """New limits of an order that goes on; an empty one stays as it is."""

    budget_usd = forms.DecimalField(
        label=_("Budget in dollars"),
        required=False,
        min_value=0,
        max_value=1_000_000,
        decimal_places=2,
    )
    max_calls = forms.IntegerField(
        label=_("Most calls"), required=False, min_value=0, max_value=10_000_000
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    def limits(self) -> dict[str, int | None]:
        """What the action takes: the limits that were typed."""
        budget, calls = self.cleaned_data["budget_usd"], self.cleaned_data["max_calls"]
        given = {
            "budget_micro": None if budget is None else int(budget * MILLION),
            "max_calls": calls,
        }
        return {name: value for name, value in given.items() if value is not None}

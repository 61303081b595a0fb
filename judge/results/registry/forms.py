"""Forms of candidates and of orders of answers."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.joining.domains.models import Domain
from judge.asking import providers
from judge.asking.calls.cost import in_micro_dollars
from judge.asking.calls.limit_fields import BudgetField, MaxCallsField
from judge.asking.candidates.generation_models import MOST_SAMPLES
from judge.asking.candidates.models import Candidate
from judge.asking.endpoints.choices import ChosenModelField, named
from judge.base.gold_sets.forms import OrderedSetField
from judge.results.registry.actions import FIELDS, tasks_to_answer


class CandidateForm(forms.ModelForm):
    """The facts about a candidate, validated by the action."""

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
            "name": _("Exactly as its responses spell it; the name is all that identifies it."),
            "family": _("Who made it. Left empty, it is read from the name."),
            "tools": _("What it used for these responses, such as web search or code."),
            "model": _("With a provider, it can be asked for responses here."),
            "price": _("For products without a price per token, or until the price table has it."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = ChosenModelField(
            help_text=_("With a model, it can be asked for responses here."),
        )
        if field.offer(none=_("None, or another one named below"), first=True):
            self.fields["chosen"] = field
        known = providers.labels()
        self.fields["provider"] = forms.ChoiceField(
            label=self.fields["provider"].label,
            required=False,
            choices=[
                ("", _("None: its responses are imported")),
                *((name, known.get(name, name)) for name in self._providers()),
            ],
        )
        place = FIELDS.index("provider")
        self.order_fields([*FIELDS[:place], "chosen", *FIELDS[place:], "revision"])
        spec = f"{self.initial.get('provider')}:{self.initial.get('model')}"
        if field.holds(spec):  # shown once: a cleared choice must not leave it below
            self.initial.update(chosen=spec, provider="", model="")
        if self.instance.pk:
            self.initial["revision"] = self.instance.revision

    def _providers(self) -> list[str]:
        """Return the providers in use, and that of the candidate even if it is retired."""
        own = self.instance.provider
        return list(dict.fromkeys([*providers.names(), *([own] if own else [])]))

    def _post_clean(self) -> None:
        """Skip the model's validation: the action validates, for the API as well."""

    def values(self) -> dict[str, Any]:
        """Return the arguments of the actions."""
        provider, model = named(self.cleaned_data)
        given = {name: self.cleaned_data.get(name) for name in FIELDS}
        return given | {"provider": provider, "model": model}


class OrderForm(forms.Form):
    """A new order: tasks, answers to each, and limits."""

    samples = forms.IntegerField(
        label=_("Answers to each task"), min_value=1, max_value=MOST_SAMPLES, initial=1
    )
    tasks = OrderedSetField(label=_("Set of tasks"))
    domains = forms.MultipleChoiceField(
        label=_("Domains"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen: all."),
    )
    budget_usd = BudgetField(
        help_text=_("It stops before it would cost more. Empty: no limit in money.")
    )
    max_calls = MaxCallsField(help_text=_("Failed calls count. Empty: no limit in calls."))
    concurrency = forms.IntegerField(label=_("Calls at once"), min_value=1, max_value=32, initial=4)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.fields["tasks"].offer(self["tasks"].value())  # type: ignore[attr-defined]
        there = set(tasks_to_answer().values_list("domain__key", flat=True))
        self.fields["domains"].choices = [  # type: ignore[attr-defined]
            (domain.key, str(domain)) for domain in Domain.objects.all() if domain.key in there
        ]

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action."""
        data = dict(self.cleaned_data)
        budget = in_micro_dollars(data.pop("budget_usd"))
        return {**data, "budget_micro": budget}


class OrderLimitsForm(forms.Form):
    """New limits of a resumed order; an empty field keeps a limit."""

    budget_usd = BudgetField()
    max_calls = MaxCallsField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    def limits(self) -> dict[str, int | None]:
        """Return the limits that were given."""
        budget, calls = self.cleaned_data["budget_usd"], self.cleaned_data["max_calls"]
        given = {
            "budget_micro": in_micro_dollars(budget),
            "max_calls": calls,
        }
        return {name: value for name, value in given.items() if value is not None}

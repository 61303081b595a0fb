"""Staff's page of the prices of models."""

from decimal import Decimal
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.web.fields import DayField, set_numbers
from curation.base.web.step import go, refused_at, status_of
from judge.asking.calls import price_queries as queries
from judge.asking.calls.cost import MILLION, in_micro_dollars, start_of_day
from judge.asking.calls.price_actions import MAX_PRICE, paid_providers, set_price
from judge.asking.calls.price_queries import prices_in_force
from judge.asking.providers import labels

NOW, DAY, CORRECT = "", "day", "correct"


def _dollars(label: Any, **more: Any) -> forms.DecimalField:
    return forms.DecimalField(
        label=label, min_value=0, max_value=MAX_PRICE // MILLION, decimal_places=6, **more
    )


class PriceForm(forms.Form):
    """Dollars per million tokens, as vendors publish them; the action checks the rules."""

    provider = forms.ChoiceField(label=gettext_lazy("Provider"))
    model = forms.CharField(
        label=gettext_lazy("Model"),
        max_length=120,
        help_text=gettext_lazy("The name that runs and candidates use."),
    )
    input = _dollars(gettext_lazy("Input"), help_text=gettext_lazy("Dollars per million tokens."))
    cached = _dollars(
        gettext_lazy("Input read from the cache"),
        required=False,
        help_text=gettext_lazy("Empty: as other input."),
    )
    output = _dollars(gettext_lazy("Output"), help_text=gettext_lazy("Dollars per million tokens."))
    counts = forms.ChoiceField(
        label=gettext_lazy("In force"),
        required=False,
        choices=[
            (
                NOW,
                gettext_lazy(
                    "From now on; the first price of a model counts for its earlier calls too"
                ),
            ),
            (DAY, gettext_lazy("From a day on, past or future")),
            (CORRECT, gettext_lazy("Correct the price in force: its calls are counted again")),
        ],
        initial=NOW,
        widget=forms.RadioSelect,
    )
    day = DayField(
        label=gettext_lazy("First day"), help_text=gettext_lazy("Only for “from a day on”.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = labels()
        self.fields["provider"].choices = [  # type: ignore[attr-defined]
            (name, known[name]) for name in paid_providers()
        ]
        set_numbers(self.fields.values())

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `set_price`."""
        data = self.cleaned_data
        micro = {
            f"{name}_micro": in_micro_dollars(data[name]) for name in ("input", "cached", "output")
        }
        return {
            "provider": data["provider"],
            "model": data["model"],
            "since": start_of_day(data["day"]) if data["counts"] == DAY else None,
            "correct": data["counts"] == CORRECT,
            **micro,
        }

    def clean(self) -> dict[str, Any]:
        """Ask for the day where the price begins on one."""
        data = super().clean() or self.cleaned_data
        if data.get("counts") == DAY and not data.get("day") and "day" not in self.errors:
            self.add_error("day", gettext("Choose the first day."))
        return data


def initial_values(provider: str, model: str) -> dict[str, Any]:
    """Return the initial values of the form: the model's present price, or only its name."""
    found: dict[str, Any] = {"provider": provider, "model": model}
    price = prices_in_force().get((provider, model))
    if price is not None:
        for name in ("input", "cached", "output"):
            amount = Decimal(getattr(price, f"{name}_micro")) / MILLION
            found[name] = f"{amount.normalize():f}"
    return found


def staff_prices(request: HttpRequest) -> HttpResponse:
    """Show the price table with its history, and take the form of a price."""
    if request.method == "POST":
        form = PriceForm(request.POST)
        if form.is_valid():
            with refused_at(form):
                set_price(actor=request.user, **form.values())
                return go(
                    request, _("Saved. The cost of runs is now counted with it."), "staff-prices"
                )
    else:
        named = {name: request.GET.get(name, "")[:120] for name in ("provider", "model")}
        if any(map(storable.problem_with, named.values())):
            named = dict.fromkeys(named, "")  # a query for text that no column stores would fail
        form = PriceForm(initial=initial_values(**named))
    return render(
        request,
        "asking/prices/prices.html",
        {"form": form, "rows": queries.price_rows(), "history": queries.price_history()},
        status=status_of(form),
    )

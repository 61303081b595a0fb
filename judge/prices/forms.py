"""The form of a model's price."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.web.fields import set_numbers
from judge.prices.actions import MAX_PRICE, paid_providers
from judge.prices.cost import MILLION
from judge.prices.models import Price
from judge.providers import label_of


def _dollars(label: Any, **more: Any) -> forms.DecimalField:
    return forms.DecimalField(
        label=label, min_value=0, max_value=MAX_PRICE // MILLION, decimal_places=6, **more
    )


class PriceForm(forms.Form):
    """Dollars per million tokens, as vendors publish them; the action checks the rules."""

    provider = forms.ChoiceField(label=_("Provider"))
    model = forms.CharField(
        label=_("Model"), max_length=120, help_text=_("The name that runs and candidates use.")
    )
    input = _dollars(_("Input"), help_text=_("Dollars per million tokens."))
    cached = _dollars(
        _("Input read from the cache"), required=False, help_text=_("Empty: as other input.")
    )
    output = _dollars(_("Output"), help_text=_("Dollars per million tokens."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["provider"].choices = [  # type: ignore[attr-defined]
            (name, label_of(name)) for name in paid_providers()
        ]
        set_numbers(self.fields.values())

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `set_price`."""
        data = self.cleaned_data
        micro = {
            f"{name}_micro": None if data[name] is None else int(data[name] * MILLION)
            for name in ("input", "cached", "output")
        }
        return {"provider": data["provider"], "model": data["model"], **micro}


def initial_values(provider: str, model: str) -> dict[str, Any]:
    """Return the initial values of the form: the model's present price, or only its name."""
    found: dict[str, Any] = {"provider": provider, "model": model}
    price = Price.objects.filter(provider=provider, model=model).first()
    if price is not None:
        for name in ("input", "cached", "output"):
            amount = Decimal(getattr(price, f"{name}_micro")) / MILLION
            found[name] = f"{amount.normalize():f}"
    return found

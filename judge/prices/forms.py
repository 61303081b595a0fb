"""What a model costs."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.web.fields import set_numbers
from judge.prices.actions import DEAREST, priced
from judge.prices.cost import MILLION
from judge.prices.models import Price
from judge.providers import label_of


def _dollars(label: Any, **more: Any) -> forms.DecimalField:
    return forms.DecimalField(
        label=label, min_value=0, max_value=DEAREST // MILLION, decimal_places=6, **more
    )


class PriceForm(forms.Form):
    """Dollars per million tokens, as vendors print them. The rules are in the action."""

    provider = forms.ChoiceField(label=_("Provider"))
    model = forms.CharField(
        label=_("Model"), max_length=120, help_text=_("As runs and candidates name it.")
    )
    input = _dollars(_("Input"), help_text=_("Dollars per million tokens."))
    cached = _dollars(
        _("Input read from the cache"), required=False, help_text=_("Empty: as other input.")
    )
    output = _dollars(_("Output"), help_text=_("Dollars per million tokens."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["provider"].choices = [  # type: ignore[attr-defined]
            (name, label_of(name)) for name in priced()
        ]
        set_numbers(self.fields.values())

    def values(self) -> dict[str, Any]:
        """What the action takes."""
        data = self.cleaned_data
        micro = {
            f"{name}_micro": None if data[name] is None else int(data[name] * MILLION)
            for name in ("input", "cached", "output")
        }
        return {"provider": data["provider"], "model": data["model"], **micro}


def begun(provider: str, model: str) -> dict[str, Any]:
    """What the form shows first: a model's price as it is, or its name alone."""
    found: dict[str, Any] = {"provider": provider, "model": model}
    price = Price.objects.filter(provider=provider, model=model).first()
    if price is not None:
        for name in ("input", "cached", "output"):
            amount = Decimal(getattr(price, f"{name}_micro")) / MILLION
            found[name] = f"{amount.normalize():f}"
    return found

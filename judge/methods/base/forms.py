"""Forms of the settings of methods."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.base.web.forms import reason_field
from curation.base.web.once import ReadVersionField
from curation.joining.domains.models import Category
from judge.methods.list_match.bands import Bands

_WHY = _("It stays on record with the table.")
_LIMITS = (4, 3, 2)  # grades that invented entries may limit an answer to


def _percent(label: Any, **more: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=100, **more)


class BandForm(forms.Form):
    """The least coverage of each grade, and how many invented entries limit it."""

    at_2 = _percent(_("Grade 2 from, in percent of the gold list"))
    at_3 = _percent(_("Grade 3 from"))
    at_4 = _percent(_("Grade 4 from"))
    at_5 = _percent(_("Grade 5 from"))
    over_4 = _percent(
        _("At most grade 4 where more than this percent is invented"),
        required=False,
        help_text=_("Empty: no such limit."),
    )
    over_3 = _percent(_("At most grade 3 where more than this"), required=False)
    over_2 = _percent(_("At most grade 2 where more than this"), required=False)
    reason = reason_field(_("Why these bands"), help_text=_WHY, rows=2)
    read = ReadVersionField()

    def __init__(self, data: Any, *, bands: Bands) -> None:
        shown = {f"at_{n}": least for n, least in enumerate(bands.coverage, start=2)}
        shown |= {f"over_{grade}": percent for percent, grade in bands.invented}
        super().__init__(data, initial={**shown, "read": bands.number})
        set_numbers(self.fields.values())

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `set_bands`."""
        data = self.cleaned_data
        limits = [(data[f"over_{n}"], n) for n in _LIMITS if data[f"over_{n}"] is not None]
        return {
            "coverage": [data[f"at_{n}"] for n in (2, 3, 4, 5)],
            "invented": limits,
            "reason": data["reason"],
            "read": data["read"],
        }


class ScaleForm(forms.Form):
    """The words of the five grades."""

    category = forms.ModelChoiceField(
        label=_("Kind of task"),
        required=False,
        queryset=Category.objects.select_related("domain").order_by("domain__name", "name"),
        empty_label=_("All that have no scale of their own"),
    )
    reason = reason_field(
        _("Why these words"),
        help_text=_("It stays on record. All five empty: back to the next wider scale."),
        rows=2,
    )
    read = ReadVersionField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for n in range(1, 6):
            self.fields[f"grade_{n}"] = forms.CharField(
                label=_("Grade %(n)s") % {"n": n},
                required=False,
                widget=forms.Textarea(attrs={"rows": 2}),
            )
        self.order_fields(("category", *(f"grade_{n}" for n in range(1, 6)), "reason", "read"))

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `set_scale`."""
        data = self.cleaned_data
        return {
            "category": data["category"],
            "sentences": [data[f"grade_{n}"] for n in range(1, 6)],
            "reason": data["reason"],
            "read": data["read"],
        }


class DemandForm(forms.Form):
    """How many of what a list task asks for."""

    task = forms.CharField(label=_("Key of the task"), max_length=120)
    number = forms.IntegerField(label=_("How many"), min_value=1, max_value=500)
    what = forms.CharField(
        label=_("Of what"), max_length=60, help_text=_("In the plural: companies, people.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

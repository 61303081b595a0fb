"""Forms of the source tiers: the list, and one address."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import reason_field
from curation.base.web.once import ReadVersionField
from judge.methods.evidence.tiers.hosts import LONGEST_ADDRESS
from judge.methods.evidence.tiers.queries import ListPage
from judge.methods.evidence.tiers.tier_list import TIERS


class AddressFilter(forms.Form):
    """An address whose tier is asked for."""

    address = forms.CharField(
        label=_("Which tier does this address have?"),
        required=False,
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput(attrs={"size": 60}),
    )


class TiersForm(forms.Form):
    """The domains of each tier, with spaces or new lines between them."""

    reason = reason_field(
        _("Why this list"), help_text=_("It stays on record with the list."), rows=2
    )
    read = ReadVersionField()

    def __init__(self, data: Any, *, page: ListPage) -> None:
        shown = {f"tier_{row.tier}": " ".join(row.domains) for row in page.tiers}
        super().__init__(data, initial={**shown, "read": page.number})
        for row in page.tiers:
            self.fields[f"tier_{row.tier}"] = forms.CharField(
                label=_("Tier %(n)s: %(name)s") % {"n": row.tier, "name": row.name},
                help_text=row.hint,
                required=False,
                widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
            )
        self.order_fields((*(f"tier_{tier}" for tier in TIERS), "reason", "read"))

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `set_tiers`."""
        data = self.cleaned_data
        return {
            "names": {tier: data[f"tier_{tier}"].split() for tier in TIERS},
            "reason": data["reason"],
            "read": data["read"],
        }

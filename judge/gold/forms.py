"""Forms of the builders of draws and releases."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.web.fields import set_numbers
from judge.gold_sets.models import Allocation
from judge.releases.draw import MOST, DrawSpec, Pool
from judge.releases.files import FORMATS

OWN = "own"


class BuilderForm(forms.Form):
    """The settings of a draw, with a quota field for each domain with approved tasks."""

    size = forms.IntegerField(label=_("Size"), min_value=1, max_value=MOST)
    allocation = forms.ChoiceField(
        label=_("Shares of the domains"),
        choices=[*Allocation.choices, (OWN, _("My own quotas"))],
        initial=Allocation.PROPORTIONAL,
        widget=forms.RadioSelect,
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**63 - 1,
        help_text=_("Same tasks, seed and size give the same draw on any machine."),
    )
    redistribute = forms.ChoiceField(
        label=_("If a domain falls short"),
        choices=[("", _("Stop and name it")), ("1", _("Spread over the others"))],
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, pool: Pool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.quota_names = sorted({entry.domain for entry in pool.entries})
        for name in self.quota_names:
            self.fields[f"quota_{name}"] = forms.IntegerField(
                label=str(pool.domains[name]), min_value=0, max_value=MOST, required=False
            )

    def spec(self, *, allow_unanchored: bool = False) -> DrawSpec:
        """Return the settings of the draw; own quotas determine the size."""
        values = self.cleaned_data
        quotas = None
        size = values["size"]
        allocation = values["allocation"]
        if allocation == OWN:
            quotas = {name: values.get(f"quota_{name}") or 0 for name in self.quota_names}
            size = sum(quotas.values())
            allocation = Allocation.PROPORTIONAL
        return DrawSpec(
            size=size,
            seed=values["seed"],
            allocation=allocation,
            quotas=quotas,
            redistribute=bool(values["redistribute"]),
            allow_unanchored=allow_unanchored,
        )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if values.get("allocation") == OWN and not any(
            values.get(f"quota_{name}") for name in self.quota_names
        ):
            self.add_error("allocation", gettext("Give at least one domain a quota."))
        return values


class ReleaseForm(BuilderForm):
    """The settings of a release: the draw, and what its files hold."""

    formats = forms.MultipleChoiceField(
        label=_("Formats"),
        choices=[(name, name) for name in FORMATS],
        initial=["jsonl"],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    with_responses = forms.BooleanField(
        label=_("Responses, experts' sheets and judges' verdicts as well"), required=False
    )
    allow_unanchored = forms.BooleanField(
        label=_("Tasks without a validated anchor too"), required=False
    )

    def clean_formats(self) -> list[str]:
        return self.cleaned_data["formats"] or ["jsonl"]

    def release_spec(self) -> DrawSpec:
        """Return the settings of the release's draw."""
        return self.spec(allow_unanchored=self.cleaned_data["allow_unanchored"])

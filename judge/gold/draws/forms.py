"""Forms of draws and releases: build one, freeze a draw, split it, open its held-out half."""

import secrets
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.base.web.forms import reason_field
from judge.base.gold_sets.halves import PERCENT
from judge.base.gold_sets.models import Allocation
from judge.gold.releases.draw import MOST, DrawSpec
from judge.gold.releases.drawn_tasks import REASON_LIMIT, DrawnTask
from judge.gold.releases.files import FORMATS
from judge.gold.releases.pool import Pool
from judge.gold.releases.strata import DOMAIN, LABELS

OWN = "own"


class BuilderForm(forms.Form):
    """The settings of a draw, with a quota field for each stratum with approved tasks."""

    strata = forms.ChoiceField(
        label=_("Strata"),
        choices=list(LABELS.items()),
        initial=DOMAIN,
        required=False,
        help_text=_("What the sample is balanced by. Press Preview after a change."),
    )
    size = forms.IntegerField(label=_("Size"), min_value=1, max_value=MOST)
    allocation = forms.ChoiceField(
        label=_("Shares of the strata"),
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
    minimum = forms.IntegerField(
        label=_("Fewest approved tasks of a stratum"),
        min_value=0,
        max_value=MOST,
        required=False,
        help_text=_("Strata with fewer are set aside and named in the release. Empty: none is."),
    )
    redistribute = forms.ChoiceField(
        label=_("If a stratum falls short"),
        choices=[("", _("Stop and name it")), ("1", _("Spread over the others"))],
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, pool: Pool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.quota_names = list(pool.strata)
        for name in self.quota_names:
            self.fields[f"quota_{name}"] = forms.IntegerField(
                label=pool.strata[name].label, min_value=0, max_value=MOST, required=False
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
            strata=values["strata"] or DOMAIN,
            allocation=allocation,
            quotas=quotas,
            redistribute=bool(values["redistribute"]),
            allow_unanchored=allow_unanchored,
            minimum=values["minimum"] or 0,
        )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if values.get("allocation") == OWN and not any(
            values.get(f"quota_{name}") for name in self.quota_names
        ):
            self.add_error("allocation", gettext("Give at least one stratum a quota."))
        return values


def formats_field() -> forms.MultipleChoiceField:
    """Return the field for the formats of a release's tables."""
    return forms.MultipleChoiceField(
        label=_("Formats"),
        choices=[(name, name) for name in FORMATS],
        initial=["jsonl"],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )


def with_responses_field() -> forms.BooleanField:
    """Return the field for what a release holds beside its tasks."""
    return forms.BooleanField(
        label=_("Responses, experts' sheets and judges' verdicts as well"), required=False
    )


def with_composition_field() -> forms.BooleanField:
    """Return the field for the numbers in the data card."""
    return forms.BooleanField(
        label=_("Experts, prompts and rubrics in numbers, in the data card"),
        help_text=_("Counts of one or two people are hidden, and what would tell them."),
        required=False,
    )


class ReleaseForm(BuilderForm):
    """The settings of a release: the draw, and what its files hold."""

    formats = formats_field()
    with_responses = with_responses_field()
    with_composition = with_composition_field()
    allow_unanchored = forms.BooleanField(
        label=_("Tasks without a validated anchor too"), required=False
    )

    def clean_formats(self) -> list[str]:
        return self.cleaned_data["formats"] or ["jsonl"]

    def release_spec(self) -> DrawSpec:
        """Return the settings of the release's draw."""
        return self.spec(allow_unanchored=self.cleaned_data["allow_unanchored"])


class FreezeForm(forms.Form):
    """What a release of a draw holds: formats, and a reason for each task that is left out."""

    formats = formats_field()
    with_responses = with_responses_field()
    with_composition = with_composition_field()
    for_all = forms.CharField(
        label=_("Reason for all tasks that are not anchored"),
        required=False,
        max_length=REASON_LIMIT,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("For those without a reason of their own below. Reasons are published."),
    )
    others = forms.CharField(
        label=_("Anchored tasks that are left out"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("One a line, with the reason: fin-12 = The case was published."),
    )

    def __init__(self, *args: Any, waiting: Sequence[DrawnTask], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.waiting = tuple(waiting)
        for task in self.waiting:
            self.fields[f"why_{task.pk}"] = forms.CharField(
                label=gettext("Why %(task)s is left out") % {"task": task.title},
                required=False,
                max_length=REASON_LIMIT,
            )

    def rows(self) -> list[tuple[DrawnTask, forms.BoundField]]:
        """Return the tasks that are not anchored, each with the field for its reason."""
        return [(task, self[f"why_{task.pk}"]) for task in self.waiting]

    def clean_formats(self) -> list[str]:
        return self.cleaned_data["formats"] or ["jsonl"]

    def clean_others(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for line in self.cleaned_data["others"].splitlines():
            key, equals, reason = (part.strip() for part in line.partition("="))
            if not key and not reason:
                continue
            if not (key and equals and reason):
                raise forms.ValidationError(
                    gettext("Write each line as a task's key, =, and the reason: %(line)s")
                    % {"line": line[:80]}
                )
            if key in found:
                raise forms.ValidationError(gettext("%(task)s is named twice.") % {"task": key})
            found[key] = reason
        return found

    def exceptions(self) -> dict[str, str]:
        """Return the tasks left out with their reasons; a task without any is not among them."""
        values = self.cleaned_data
        given = {task.key: values[f"why_{task.pk}"] or values["for_all"] for task in self.waiting}
        return {key: reason for key, reason in given.items() if reason} | values["others"]


class SplitForm(forms.Form):
    """How a draw or a release is split into halves."""

    percent = forms.IntegerField(
        label=_("Held out, per cent of each stratum"), min_value=1, max_value=99, initial=PERCENT
    )
    seed = forms.IntegerField(label=_("Seed"), min_value=0, max_value=2**63 - 1)

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, auto_id="split_%s", **kwargs)
        set_numbers(self.fields.values())


class OpenForm(forms.Form):
    """Why a held-out half is opened."""

    reason = reason_field(_("Why the held-out half is opened"), rows=2)

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, auto_id="open_%s", **kwargs)


def proposal() -> dict[str, int]:
    """Return the settings that a page proposes for a split."""
    return {"percent": PERCENT, "seed": secrets.randbelow(10**8)}

"""The form of a new edition."""

from datetime import date
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.joining.domains.models import Domain
from judge.base.gold_sets.models import GoldItem, GoldRelease
from judge.gold.releases.edition_actions import newest, next_quarter, quarter_of

OFFERED = 50  # releases


class ReleaseChoice(forms.ModelChoiceField):
    """A choice of a release by its number."""

    def label_from_instance(self, obj: GoldRelease) -> str:
        tasks = ngettext("%(n)s task", "%(n)s tasks", obj.size) % {"n": f"{obj.size:,}"}
        return gettext("Release %(n)s: %(tasks)s") % {"n": obj.number, "tasks": tasks}


class EditionForm(forms.Form):
    """Which quarter, and which release for all domains or for each."""

    year = forms.IntegerField(label=_("Year"), min_value=2000, max_value=2999)
    quarter = forms.TypedChoiceField(
        label=_("Quarter"), choices=[(n, f"Q{n}") for n in range(1, 5)], coerce=int
    )
    release = ReleaseChoice(
        label=_("Release for all domains"),
        queryset=GoldRelease.objects.none(),
        required=False,
        empty_label=_("One for each domain"),
        help_text=_("Or choose one for each domain below."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("initial", proposal())
        super().__init__(*args, **kwargs)
        recent = GoldRelease.objects.filter(same_as__isnull=True).order_by("-number")
        keys = list(recent.values_list("pk", flat=True)[:OFFERED])
        offered = GoldRelease.objects.filter(pk__in=keys).order_by("-number")
        offered = offered.only("number", "size")
        self.fields["release"].queryset = offered  # type: ignore[attr-defined]
        held = GoldItem.objects.filter(task__domain=OuterRef("pk"))
        self.domains = list(Domain.objects.filter(Exists(held)))
        for domain in self.domains:
            self.fields[f"domain_{domain.pk}"] = ReleaseChoice(
                label=_("Release for %(domain)s") % {"domain": domain},
                queryset=offered.filter(
                    Exists(GoldItem.objects.filter(release=OuterRef("pk"), task__domain=domain))
                ),
                required=False,
                empty_label=_("That of all domains, or none"),
            )
        set_numbers(self.fields.values())

    def values(self) -> dict[str, Any]:
        """Return the arguments of `planned` and `publish_edition`."""
        data = self.cleaned_data
        return {
            "year": data["year"],
            "quarter": data["quarter"],
            "release": data["release"],
            "by_domain": {
                domain: data[f"domain_{domain.pk}"]
                for domain in self.domains
                if data[f"domain_{domain.pk}"]
            },
        }


def begins() -> date | None:
    """Return when the quarter of the next edition begins; None if it can be published today."""
    next_one = proposal()
    day = date(next_one["year"], 3 * next_one["quarter"] - 2, 1)
    return day if day > timezone.localdate() else None


def proposal() -> dict[str, Any]:
    """Return the first values: the present quarter, or the one after the newest edition."""
    last = newest()
    year, quarter = quarter_of(timezone.localdate())
    if last is not None and (last.year, last.quarter) >= (year, quarter):
        year, quarter = next_quarter(last.year, last.quarter)
    return {"year": year, "quarter": quarter}

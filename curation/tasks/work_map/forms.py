"""Forms of the work map: the choice of a work type, a work type, a domain's facts."""

from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from curation.base.text import storable
from curation.base.web.fields import DayField, set_numbers
from curation.base.web.forms import reason_field
from curation.base.web.once import ReadVersionField
from curation.joining.domains.forms import CategoryChoice
from curation.joining.domains.models import Category, Domain
from curation.tasks.work_map.models import WorkMap, WorkType

UNKNOWN = ("", _("Not known yet"))
YES_NO = (UNKNOWN, ("yes", _("Yes")), ("no", _("No")))
LIMIT = 5000  # characters of the text on simulation


class WorkTypeChoice(CategoryChoice):
    """A work type by its key. The form validates it, because it depends on the chosen domain."""

    def offer_types(
        self, domains: Iterable[int], *, first: int, every: bool = False, held: int | None = None
    ) -> None:
        """Offer the work types of these domains, grouped if there are several.

        Args:
            first: the domain that stands on top.
            every: also those that are not both feasible and evaluable, for staff.
            held: the work type that the task has already.
        """
        keys = list(domains)

        @cache  # the widget asks twice
        def choices() -> list[Any]:
            rows = WorkType.objects.filter(domain__in=keys).select_related("domain", "category")
            if not every:
                rows = rows.filter(Q(feasible=True, evaluable=True) | Q(pk=held))
            rows = rows.filter(Q(retired_at__isnull=True) | Q(pk=held))
            groups: dict[int, tuple[str, list[tuple[str, str]]]] = {}
            for row in sorted(rows, key=lambda row: row.domain_id != first):
                group = groups.setdefault(row.domain_id, (str(row.domain), []))
                group[1].append((row.key, row.label))
            empty = ("", _("Not chosen yet"))
            if len(keys) == 1:
                return [empty, *(choice for _name, group in groups.values() for choice in group)]
            return [empty, *groups.values()]

        self.choices = choices


def yes_no(value: bool | None) -> str:
    """Return the form's value of a yes, a no or an unknown."""
    return "" if value is None else "yes" if value else "no"


class WorkTypeForm(forms.Form):
    """A work type. The action checks the rules; empty numbers are unknown."""

    version = ReadVersionField()
    category = forms.ModelChoiceField(
        Category.objects.none(),
        to_field_name="key",
        label=_("Evaluation category"),
        empty_label=_("Not chosen yet"),
    )
    name = forms.CharField(max_length=120, label=_("Work type"))
    name_zh = forms.CharField(max_length=120, required=False, label=_("In Chinese"))
    share = forms.DecimalField(
        required=False,
        min_value=0,
        max_value=100,
        decimal_places=2,
        label=_("Share of the working time, in percent"),
        help_text=_("From interviews. Empty: nobody was asked yet."),
    )
    importance = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=5,
        label=_("Importance, from 1 to 5"),
        help_text=_("From interviews; 5 is the most important."),
    )
    interviews = forms.IntegerField(
        required=False, min_value=1, max_value=100_000, label=_("Number of interviews")
    )
    interviewed_on = DayField(label=_("Last interview on"))
    interview_source = forms.CharField(
        max_length=300, required=False, label=_("Who was asked, or where it is written")
    )
    feasible = forms.ChoiceField(
        choices=YES_NO,
        required=False,
        label=_("Feasible"),
        help_text=_("Could a product of today do this work?"),
    )
    evaluable = forms.ChoiceField(
        choices=YES_NO,
        required=False,
        label=_("Evaluable"),
        help_text=_("Can an answer be graded without the outside world taking part?"),
    )
    simulation = forms.CharField(
        required=False,
        max_length=LIMIT,
        label=_("What a simulation could do"),
        help_text=_("For work that is not evaluable: what could be simulated to make it so."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, domain: Domain, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        category = self.fields["category"]
        assert isinstance(category, forms.ModelChoiceField)
        category.queryset = Category.objects.filter(domain=domain)
        set_numbers(self.fields.values())

    @classmethod
    def of(cls, work_type: WorkType, version: int, data: Any = None) -> "WorkTypeForm":
        """Return the form of a stored work type, or with the data sent."""
        names = [name for name in cls.base_fields if name not in ("version", "category")]
        stored = {name: getattr(work_type, name) for name in names}
        for name in ("feasible", "evaluable"):
            stored[name] = yes_no(stored[name])
        if isinstance(stored["share"], Decimal):
            stored["share"] = f"{stored['share'].normalize():f}"
        initial = stored | {"category": work_type.category.key, "version": version}
        return cls(data, domain=work_type.domain, initial=initial)

    def values(self) -> dict[str, Any]:
        """Return the arguments of the actions, without the version."""
        values = {name: self.cleaned_data[name] for name in self.fields if name != "version"}
        for name in ("feasible", "evaluable"):
            values[name] = {"": None, "yes": True, "no": False}[values[name]]
        for name in ("simulation",):
            values[name] = storable.clean(values[name])
        return values


class RetireForm(forms.Form):
    """Why a work type is retired."""

    version = ReadVersionField()
    reason = reason_field(help_text=_("One sentence; it appears in the history of the map."))


class FactsForm(forms.Form):
    """What is said of a domain as a whole."""

    version = ReadVersionField()
    market_size = forms.DecimalField(
        required=False,
        min_value=Decimal("0.01"),
        max_digits=20,
        decimal_places=2,
        label=_("Market size of a year"),
        help_text=_("Empty: not known."),
    )
    market_currency = forms.CharField(
        required=False,
        max_length=3,
        label=_("Currency"),
        help_text=_("Its three letters, such as USD."),
    )
    market_year = forms.IntegerField(
        required=False, min_value=1900, max_value=2999, label=_("Year it is of")
    )
    market_source = forms.CharField(required=False, max_length=300, label=_("Source"))
    time_bins = forms.CharField(
        max_length=60,
        label=_("Steps of the time histogram, in minutes"),
        help_text=_("Upper ends with commas: 5, 20, 40 gives 0–5, 5–20, 20–40 and over 40."),
    )
    reverify_days = forms.IntegerField(
        min_value=1,
        max_value=365,
        label=_("Verify dynamic answers again, days before they expire"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    @classmethod
    def of(cls, work_map: WorkMap, data: Any = None) -> "FactsForm":
        """Return the form of a domain's facts, or with the data sent."""
        size = work_map.market_size
        return cls(
            data,
            initial={
                "version": work_map.version,
                "market_size": None if size is None else f"{size.normalize():f}",
                "market_currency": work_map.market_currency,
                "market_year": work_map.market_year,
                "market_source": work_map.market_source,
                "time_bins": ", ".join(map(str, work_map.time_bins)),
                "reverify_days": work_map.reverify_days,
            },
        )

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action, without the version."""
        return {name: self.cleaned_data[name] for name in self.fields if name != "version"}

"""Forms of products, versions, periods, matrices and the index; the actions validate."""

from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.web.fields import DayField
from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Candidate
from judge.base.gold_sets import task_sets
from judge.base.products import Product
from judge.results.alignment.raters import judges
from judge.results.product_index.models import ScoreMatrix
from judge.results.product_index.scores import MATRIX


class ProductForm(forms.Form):
    """The facts about a product."""

    name = forms.CharField(label=pgettext_lazy("of a thing", "Name"), max_length=200)
    house = forms.CharField(
        label=_("House"),
        required=False,
        max_length=60,
        help_text=_("Who makes it, such as a company."),
    )
    note = forms.CharField(
        label=_("Note"), required=False, widget=forms.Textarea(attrs={"rows": 2})
    )


class ChangeProductForm(ProductForm):
    """The same, with the revision that was read."""

    revision = forms.IntegerField(widget=forms.HiddenInput)

    @classmethod
    def of(cls, product: Product, data: Any = None) -> "ChangeProductForm":
        """Return the form of a product."""
        names = ("name", "house", "note", "revision")
        return cls(data, initial={name: getattr(product, name) for name in names})


class VersionForm(forms.Form):
    """A candidate that becomes a version."""

    candidate = forms.ModelChoiceField(
        label=_("Candidate"),
        queryset=Candidate.objects.none(),
        empty_label=_("Choose a candidate"),
        help_text=_("Those that are no version of another product."),
    )
    version = forms.CharField(label=_("Version"), max_length=80)
    released_on = DayField(label=_("Released"))
    retired_on = DayField(label=pgettext_lazy("date", "Retired"))

    def __init__(self, *args: Any, product: Product, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["candidate"].queryset = Candidate.objects.filter(  # type: ignore[attr-defined]
            Q(product__isnull=True) | Q(product=product)
        ).order_by("name")


class PeriodDaysForm(forms.Form):
    starts_on = DayField(label=_("First day"))
    ends_on = DayField(label=_("Last day"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("starts_on", "ends_on"):
            self.fields[name].required = True
            self.fields[name].error_messages["required"] = _("Choose a day.")


class PeriodForm(PeriodDaysForm):
    """A new period."""

    key = forms.CharField(
        label=_("Key"), max_length=20, help_text=_("Such as 2026-05; the index names it so.")
    )
    field_order = ("key", "starts_on", "ends_on")


class MatrixForm(forms.Form):
    """A file of scores with its name."""

    name = forms.CharField(label=pgettext_lazy("of a thing", "Name"), max_length=80)
    source = forms.CharField(
        label=_("Where the scores come from"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    file = forms.FileField(
        label=_("File"),
        help_text=_("CSV in UTF-8 with the head task,product,version,period,score; scores 0 to 1."),
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
    )


class IndexFilter(forms.Form):
    """Which scores the index is made of, and which period gives its scale."""

    # Any value is taken: draws and runs that are not offered can be named, and others are refused.
    group = forms.CharField(label=_("Scores of"), required=False, widget=forms.Select)
    run = forms.CharField(label=_("Judge"), required=False, widget=forms.Select)
    reference = forms.CharField(label=_("Reference period"), required=False, widget=forms.Select)

    def offer(self, periods: list[str], group: str) -> None:
        """Offer groups, judges, and the periods of the chosen group."""
        groups = [
            *(
                (f"{MATRIX}{name}", _("Matrix “%(name)s”") % {"name": name})
                for name in ScoreMatrix.objects.values_list("name", flat=True)
            ),
            *((name or task_sets.OPEN, label) for name, label in task_sets.choices()),
            *((domain.key, str(domain)) for domain in Domain.objects.all()),
        ]
        if group and group not in dict(groups):
            groups.append((group, group))
        self.fields["group"].widget.choices = groups  # type: ignore[attr-defined]
        self.fields["run"].widget.choices = [  # type: ignore[attr-defined]
            ("", _("The newest run over answers of products")),
            *judges(),
        ]
        self.fields["reference"].widget.choices = [  # type: ignore[attr-defined]
            ("", _("The first one")),
            *((key, key) for key in periods),
        ]

"""Forms of the alignment report: the comparison, and the thresholds of trust."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.base.web.once import ReadVersionField
from curation.joining.domains.models import Domain
from judge.base.gold_sets.forms import ReportSetField
from judge.results.alignment import page_queries as queries
from judge.results.alignment.models import TrustThresholds
from judge.results.alignment.raters import judges


class ComparisonForm(forms.Form):
    """The judge, the one it is compared with, the experts, what counts, and the resampling."""

    judge = forms.ChoiceField(label=_("Judge"))
    compare = forms.ChoiceField(label=_("Compared with"), required=False)
    experts = forms.ChoiceField(label=_("Experts"), required=False)
    domain = forms.ChoiceField(label=_("Domain"), required=False)
    tasks = ReportSetField()
    flagged = forms.BooleanField(label=_("Count sheets that a flag asked for"), required=False)
    bootstrap = forms.TypedChoiceField(
        label=_("Resamples"),
        choices=[(1000, "1,000"), (10_000, "10,000"), (50_000, "50,000")],
        coerce=int,
        initial=10_000,
        required=False,
        empty_value=10_000,  # type: ignore[arg-type]  # Django takes any; the stubs only text
    )
    seed = forms.IntegerField(
        label=_("Seed"), min_value=0, max_value=2**63 - 1, initial=0, required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.fields["tasks"].offer(self["tasks"].value())  # type: ignore[attr-defined]
        offered = judges()
        self.fields["judge"].choices = offered  # type: ignore[attr-defined]
        self.fields["compare"].choices = [("", _("Nothing")), *offered]  # type: ignore[attr-defined]
        self.fields["experts"].choices = [  # type: ignore[attr-defined]
            ("", _("All experts")),
            *queries.experts(),
        ]
        self.fields["domain"].choices = [  # type: ignore[attr-defined]
            ("", _("All domains")),
            *((domain.key, str(domain)) for domain in Domain.objects.all()),
        ]

    def clean_seed(self) -> int:
        return self.cleaned_data["seed"] or 0


class ThresholdsForm(forms.ModelForm):
    """The thresholds a judge must reach before the report says that it may be trusted."""

    read = ReadVersionField()

    class Meta:
        model = TrustThresholds
        fields = ("cdr_lower", "tasks", "strict_pairs", "coverage", "j_lower", "mean_bias")
        help_texts = {
            "cdr_lower": _("For ranking: the interval (95 %) must be above this, from −1 to 1."),
            "tasks": _("For ranking: tasks on which the experts prefer one response."),
            "strict_pairs": _("For ranking: pairs of responses of which the experts prefer one."),
            "coverage": _("For ranking: share of these pairs with a judge score, from 0 to 1."),
            "j_lower": _("For single responses: the interval of J (95 %) must be above this."),
            "mean_bias": _("For single responses: the most allowed in either direction."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

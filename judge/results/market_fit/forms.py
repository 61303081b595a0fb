"""The forms of a candidate's price per task and of a domain's demand."""

from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import DayField, set_numbers
from curation.base.web.once import ReadVersionField
from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Candidate
from judge.results.market_fit.actions import SOURCE_LIMIT


def _source_field(help_text: Any) -> forms.CharField:
    return forms.CharField(
        label=_("Source"),
        help_text=help_text,
        error_messages={"required": _("Say where it comes from.")},
        widget=forms.Textarea(attrs={"rows": 2, "maxlength": SOURCE_LIMIT}),
    )


class TaskPriceForm(forms.Form):
    """What a candidate costs per task of a domain."""

    candidate = forms.ModelChoiceField(
        label=_("Product"),
        queryset=Candidate.objects.none(),
        empty_label=_("Choose a product"),
    )
    usd = forms.DecimalField(
        label=_("US dollars per task"),
        required=False,
        min_value=0,
        max_digits=12,
        decimal_places=4,
        help_text=_("0 if it is free. Empty: the price is no longer known."),
    )
    since = DayField(label=_("Since"), help_text=_("Empty: today."))
    source = _source_field(
        _("Where the price stands, and how a subscription was counted per task.")
    )

    def __init__(self, *args: Any, domain: Domain, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        candidates = Candidate.objects.filter(responses__task__domain=domain).distinct()
        self.fields["candidate"].queryset = candidates  # type: ignore[attr-defined]
        set_numbers(self.fields.values())


class DemandForm(forms.Form):
    """What the market of a domain pays by score; `read` is the curve that the page showed."""

    read = ReadVersionField()

    points = forms.CharField(
        label=_("Points of demand"),
        required=False,
        help_text=_(
            "One a line: a score, then the most the market pays for it in US dollars per task, "
            "such as “70 25”. Empty: human labour is the boundary."
        ),
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    human_score = forms.DecimalField(
        label=_("Score of a human"),
        required=False,
        min_value=0,
        max_value=100,
        max_digits=5,
        decimal_places=2,
        help_text=_("What a professional's own work on these tasks would get, 0 to 100."),
    )
    source = _source_field(_("Where the points and the human score come from."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    def clean_points(self) -> list[tuple[Decimal, Decimal]]:
        found, wrong = [], []
        for n, line in enumerate(self.cleaned_data["points"].splitlines(), start=1):
            parts = line.replace(";", " ").replace("\t", " ").replace("$", " ").split()
            if not parts:
                continue
            try:
                score, usd = (Decimal(part.rstrip(",")) for part in parts)
                if not (score.is_finite() and usd.is_finite()):
                    raise InvalidOperation
                if any(-int(value.as_tuple().exponent) > places  # type: ignore[arg-type]
                       for value, places in ((score, 2), (usd, 4))):  # fmt: skip
                    wrong.append(
                        gettext(
                            "Line %(n)s: a score has at most 2 digits after the point, a price 4."
                        )
                        % {"n": n}
                    )
                    continue
            except (InvalidOperation, ValueError):
                wrong.append(
                    gettext("Line %(n)s: write a score and a price, such as “70 25”.") % {"n": n}
                )
                continue
            found.append((score, usd))
        if wrong:
            raise ValidationError(wrong)
        return found

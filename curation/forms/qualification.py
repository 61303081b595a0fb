"""Forms of qualification. They read and show; the rules are in the actions."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.errors import BadInput
from curation.forms.domains import domain_filter
from curation.models import Domain, Trial, TrialRemark
from curation.once import AsRead


def take_back(form: forms.BaseForm, refusal: BadInput) -> None:
    """Show an action's refusal at the fields it names, with everything typed kept."""
    if not refusal.fields:
        form.add_error(None, str(refusal.detail))
    for name, sentences in refusal.fields.items():
        form.add_error(
            name if name in form.fields else None, [str(sentence) for sentence in sentences]
        )


class TrialDecisionForm(forms.Form):
    """A senior's verdict on a trial."""

    verdict = forms.ChoiceField(
        choices=[
            (Trial.Verdict.ACCEPTED, _("Accept: the applicant is qualified")),
            (Trial.Verdict.RETURNED, _("Return: the applicant corrects it")),
            (Trial.Verdict.REJECTED, _("Reject: the application is closed")),
        ],
        label=_("Your verdict"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose: accept, return or reject.")},
    )
    remarks = forms.CharField(
        required=False,
        max_length=5000,
        label=_("Remarks on the whole"),
        help_text=_(
            "What is good, what has to change and why. Needed to accept or to reject. Signed “a "
            "senior of the domain”."
        ),
        widget=forms.Textarea(attrs={"rows": 6}),
    )

    def __init__(self, *args: Any, last: bool = False, **kwargs: Any) -> None:
        """Args: last, whether no further version may follow, so that returning is not offered."""
        super().__init__(*args, **kwargs)
        if last:
            verdict = self.fields["verdict"]
            assert isinstance(verdict, forms.ChoiceField)
            verdict.choices = [
                (Trial.Verdict.ACCEPTED, _("Accept: the applicant is qualified")),
                (Trial.Verdict.REJECTED, _("Reject: the application is closed")),
            ]
        for part in TrialRemark.Part:
            self.fields[f"remark_{part.value}"] = forms.CharField(
                required=False,
                max_length=5000,
                label=_("Remark on: %(part)s") % {"part": part.label},
                widget=forms.Textarea(attrs={"rows": 2, "form": "decide"}),
            )

    def decision(self) -> dict[str, Any]:
        """What `trials.decide_trial` takes."""
        values = self.cleaned_data
        return {
            "verdict": values["verdict"],
            "remarks": values["remarks"],
            "parts": {part: values[f"remark_{part}"] for part in TrialRemark.Part.values},
        }


class ReasonForm(forms.Form):
    """A decision of the staff with its reason."""

    reason = forms.CharField(
        required=False, max_length=5000, label=_("Reason"), widget=forms.Textarea(attrs={"rows": 4})
    )


class SlotForm(ReasonForm):
    """One more slot, by its number: the page may be older than the last one given."""

    number = AsRead()


class SeniorForm(forms.Form):
    """Make somebody a senior of a domain, or end that."""

    domain = forms.ModelChoiceField(Domain.objects.all(), widget=forms.HiddenInput)
    senior = forms.TypedChoiceField(
        choices=[("1", "1"), ("0", "0")], coerce=lambda v: v == "1", widget=forms.HiddenInput
    )
    reason = forms.CharField(
        required=False, max_length=2000, label=_("Reason"), widget=forms.Textarea(attrs={"rows": 2})
    )


class PeopleFilter(forms.Form):
    """Narrows the list of people."""

    q = forms.CharField(required=False, max_length=200, label=_("Search"))
    domain = domain_filter()


def kept(form: forms.Form) -> Mapping[str, Any]:
    """The usable values of a filter; what cannot be used is left out."""
    form.is_valid()
    return {name: value for name, value in form.cleaned_data.items() if value}

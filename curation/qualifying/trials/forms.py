"""The form of a senior's decision on a trial task."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.qualifying.trials.models import Trial, TrialRemark


class TrialDecisionForm(forms.Form):
    """A senior's verdict on a trial task, with remarks."""

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
        """Leave out returning if this is the `last` version."""
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
        """Return the arguments of `actions.decide_trial`."""
        values = self.cleaned_data
        return {
            "verdict": values["verdict"],
            "remarks": values["remarks"],
            "parts": {part: values[f"remark_{part}"] for part in TrialRemark.Part.values},
        }

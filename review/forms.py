"""Forms of review. They carry what was typed; the actions judge it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.errors import BadInput
from review.models import SpotCheck

YES_NO = [("yes", _("Yes")), ("no", _("No"))]


class Answered(forms.Form):
    """A form whose refusals may also come from an action."""

    def blame(self, refused: BadInput) -> None:
        """Put an action's refusal where the person looks for it."""
        if not refused.fields:
            self.add_error(None, str(refused.detail))
        for name, sentences in refused.fields.items():
            for sentence in sentences:
                self.add_error(name if name in self.fields else None, str(sentence))


class ReasonForm(Answered):
    """A reason, in the person's own words."""

    reason = forms.CharField(
        label=_("Reason"),
        required=False,  # the action says what is missing, in its own words
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class AssignForm(Answered):
    """Which of the eligible people reviews the task."""

    reviewer = forms.TypedChoiceField(
        label=_("Reviewer"),
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose one of them."),
            "invalid_choice": _("This person cannot review this task. Choose one of the list."),
        },
    )

    def __init__(self, data: Any, people: Any) -> None:
        super().__init__(data)
        self.fields["reviewer"].choices = [  # type: ignore[attr-defined]
            (person.pk, f"{person.display_name or person.email} · {person.open_reviews}")
            for person in people
        ]


class SpotCheckForm(Answered):
    """The three tests, the verdict and its reasons."""

    consistent = forms.ChoiceField(
        label=_("Consistent"),
        help_text=_("Lines of like importance carry like weights, and none contradicts another."),
        choices=YES_NO,
        widget=forms.RadioSelect,
        error_messages={"required": _("Answer yes or no.")},
    )
    aligned = forms.ChoiceField(
        label=_("Aligned with the task"),
        help_text=_("Every requirement of the task has its lines, and no line asks for more."),
        choices=YES_NO,
        widget=forms.RadioSelect,
        error_messages={"required": _("Answer yes or no.")},
    )
    evaluable = forms.ChoiceField(
        label=_("Evaluable"),
        help_text=_("Two colleagues would mark each line alike, from the answer alone."),
        choices=YES_NO,
        widget=forms.RadioSelect,
        error_messages={"required": _("Answer yes or no.")},
    )
    remarks = forms.CharField(
        label=_("Remarks"),
        help_text=_("The author reads them, and the reviewer too."),
        required=False,  # the action says what is missing, in its own words
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    verdict = forms.ChoiceField(
        choices=SpotCheck.Verdict.choices,
        widget=forms.HiddenInput,
        error_messages={"required": _("Choose: accept, send back or discard.")},
    )

    def tests(self) -> dict[str, bool]:
        """The three tests as the action takes them."""
        return {
            name: self.cleaned_data[name] == "yes"
            for name in ("consistent", "aligned", "evaluable")
        }

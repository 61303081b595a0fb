"""The form of a spot check."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import parse_int, show_refusal
from curation.base.web.refusals import BadInput
from review.senior_seats.models import SpotCheck
from review.web.forms import YES_NO


def marks_from(data: Mapping[str, str]) -> dict[int, tuple[str, str]]:
    """Return line id -> (failed test, remark) of the marks in a form; blank ones are left out."""
    found = {}
    for name, test in data.items():
        pk = parse_int(name.removeprefix("mark-")) if name.startswith("mark-") else None
        remark = data.get(f"remark-{pk}", "")
        if pk is not None and (test or remark.strip()):
            found[pk] = (test, remark)
    return found


def _yes_no(label: Any, help_text: Any) -> forms.ChoiceField:
    """Return the field of one of the three tests."""
    return forms.ChoiceField(
        label=label,
        help_text=help_text,
        choices=YES_NO,
        widget=forms.RadioSelect,
        error_messages={"required": _("Answer yes or no.")},
    )


class SpotCheckForm(forms.Form):
    """The three tests, the verdict and the remarks.

    `marks` has the refusals of marked lines: `mark-<line id>` -> sentences.
    """

    consistent = _yes_no(
        _("Consistent"),
        _("Lines of similar importance have similar weights, and no line contradicts another."),
    )
    aligned = _yes_no(
        _("Aligned with the task"),
        _("Every requirement of the task has its lines, and no line asks for more."),
    )
    evaluable = _yes_no(
        _("Evaluable"),
        _("Two colleagues would judge each line the same way, from the response alone."),
    )
    remarks = forms.CharField(
        label=_("Remarks"),
        help_text=_(
            "Required for every verdict, including “Accept”. The author and the reviewer read them."
        ),
        error_messages={"required": _("Give your reasons; author and reviewer read them.")},
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    verdict = forms.ChoiceField(
        choices=SpotCheck.Verdict.choices,
        widget=forms.HiddenInput,
        error_messages={"required": _("Choose: accept, return or discard.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.marks: dict[str, list[str]] = {}

    def show(self, refused: BadInput) -> None:
        """Show a refusal at the form's fields, and those of marks at their lines."""
        self.marks = {
            name: [str(sentence) for sentence in found]
            for name, found in refused.fields.items()
            if name.startswith("mark-")
        }
        show_refusal(self, refused)

    def tests(self) -> dict[str, bool]:
        """Return the three tests as arguments of the action."""
        return {
            name: self.cleaned_data[name] == "yes"
            for name in ("consistent", "aligned", "evaluable")
        }

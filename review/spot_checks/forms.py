"""A senior's marks and verdict on a rubric."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.web.forms import show_refusal, whole
from curation.web.refusals import BadInput
from review.senior_seats.models import SpotCheck
from review.web.forms import YES_NO


def marked(data: Mapping[str, str]) -> dict[int, tuple[str, str]]:
    """Line id -> (failed test, remark), as a form sends marks of lines; blank ones are left out."""
    found = {}
    for name, test in data.items():
        pk = whole(name.removeprefix("mark-")) if name.startswith("mark-") else None
        remark = data.get(f"remark-{pk}", "")
        if pk is not None and (test or remark.strip()):
            found[pk] = (test, remark)
    return found


class SpotCheckForm(forms.Form):
    """The three tests, the verdict and its reasons; `marks` holds refusals of marked lines."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.marks: dict[str, list[str]] = {}

    def show(self, refused: BadInput) -> None:
        """Show a refusal, that of a mark beside its line as well."""
        self.marks = {
            name: [str(sentence) for sentence in found]
            for name, found in refused.fields.items()
            if name.startswith("mark-")
        }
        show_refusal(self, refused)

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
        help_text=_(
            "Needed for every verdict, “Accept” too. The author reads them, and the reviewer."
        ),
        error_messages={"required": _("Give your reasons; author and reviewer read them.")},
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

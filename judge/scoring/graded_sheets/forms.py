"""The form of a graded sheet; the actions check its rules."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.refusals import BadInput
from judge.methods.graded.scale import HIGHEST, LOWEST


class GradeForm(forms.Form):
    """Analysis, grade, and the revision of the sheet that the page showed."""

    analysis = forms.CharField(
        required=False,
        label=_("What is right, what is wrong"),
        help_text=_("First the reasons, then the grade: it is fairer, and easier to check."),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10}),
    )
    grade = forms.TypedChoiceField(
        required=False,
        label=_("Grade"),
        choices=[(str(step), str(step)) for step in range(HIGHEST, LOWEST - 1, -1)],
        coerce=int,
        empty_value=None,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose a grade from 1 to 5.")},
    )
    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def values(self) -> dict[str, Any]:
        """Return the arguments of the actions. Raises BadInput: a value is not valid."""
        if not self.is_valid():
            raise BadInput(fields={name: list(texts) for name, texts in self.errors.items()})
        data = self.cleaned_data
        return {"grade": data["grade"], "analysis": data["analysis"], "revision": data["version"]}

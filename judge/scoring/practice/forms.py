"""The form of the explanations on a practice sheet."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from judge.scoring.scorers.practice_models import PracticeLine


class ExplanationsForm(forms.Form):
    """One text for each line, by the line's id, and the revision the page showed."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(self, *args: Any, lines: Sequence[PracticeLine], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lines = lines
        for line in lines:
            self.fields[f"line-{line.pk}"] = forms.CharField(
                label=_("Why it is so"),
                required=False,
                initial=line.explanation,
                strip=False,
                widget=forms.Textarea(attrs={"rows": 2}),
            )

    def values(self) -> dict[str, Any]:
        """Return the arguments of `choosing.explain_lines`."""
        said = {line.pk: self.cleaned_data[f"line-{line.pk}"] or "" for line in self.lines}
        return {"explanations": said, "revision": self.cleaned_data["revision"]}

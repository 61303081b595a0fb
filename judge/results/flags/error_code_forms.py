"""Forms of error codes: the taxonomy, and one error of a response."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import reason_field
from judge.asking.candidates.models import Response
from judge.results.flags.error_code_models import ErrorCode
from judge.results.flags.error_code_queries import CodedLine


class CodeForm(forms.Form):
    """The texts of a failure mode."""

    name = forms.CharField(required=False, max_length=120, label=_("Name of the failure mode"))
    definition = forms.CharField(
        required=False,
        label=_("When it applies"),
        help_text=_("In one or two sentences, so that two people code alike. Models read it too."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    name_zh = forms.CharField(
        required=False, max_length=120, label=_("Name in Chinese"), help_text=_("May stay empty.")
    )
    definition_zh = forms.CharField(
        required=False,
        label=_("When it applies, in Chinese"),
        help_text=_("May stay empty."),
        widget=forms.Textarea({"rows": 3}),
    )


class EditForm(CodeForm):
    """The texts of a failure mode, with the reason of a change."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    reason = reason_field(_("Why it changes"), rows=2)


class ErrorForm(forms.Form):
    """A code on a line, on the whole response, or on a disagreement of judge and expert."""

    line = forms.TypedChoiceField(label=_("Where"), coerce=int)
    code = forms.TypedChoiceField(label=_("Error code"), coerce=int)
    run = forms.TypedChoiceField(
        label=_("What it explains"), coerce=int, required=False, empty_value=None
    )
    reason = reason_field(
        _("What shows it"), help_text=_("Quote or name the passage. Scorers never see it."), rows=3
    )

    def __init__(
        self, *args: Any, response: Response, lines: list[CodedLine], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.response, self.lines = response, {line.n: line for line in lines}
        codes = ErrorCode.objects.filter(domain=response.task.domain_id, retired_at__isnull=True)
        runs = sorted({run for line in lines for run in line.differ}, reverse=True)
        self._offer("line", [(0, _("The whole response")), *((n, _line(n, line)) for n, line in
                                                             self.lines.items())])  # fmt: skip
        self._offer("code", [(code.pk, str(code)) for code in codes])
        names = [(run, _("Run %(n)s differs from an expert there") % {"n": run}) for run in runs]
        self._offer("run", [("", _("Why the response fails there")), *names])

    def _offer(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def values(self) -> dict[str, Any]:
        """Return the arguments of `code_error`, without run and code as rows."""
        said = self.cleaned_data
        line = self.lines.get(said["line"])
        return {"criterion": line.criterion if line else None, "reason": said["reason"]}


def _line(n: int, line: CodedLine) -> str:
    text = line.criterion.text
    return f"{n} · {text if len(text) <= 70 else text[:69] + '…'}"

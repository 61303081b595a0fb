"""The form that overrules one finding of a response's page; the action checks what it says."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import reason_field
from judge.methods.base.overruling import Said


class OverruleForm(forms.Form):
    """What somebody says instead of the judge."""

    judgment = forms.IntegerField(min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)
    finding = forms.CharField(max_length=40, widget=forms.HiddenInput)
    # The action knows which answers a finding takes; the page offers them.
    answer = forms.CharField(
        label=_("What counts instead"), max_length=20, required=False, widget=forms.Select
    )
    confidence = forms.IntegerField(
        label=_("How sure you are, in percent"), min_value=0, max_value=100, required=False
    )
    cited_page = forms.CharField(
        label=_("The cited page"), max_length=20, required=False, widget=forms.Select
    )
    reason = reason_field(_("Why?"), rows=2)

    def said(self) -> Said:
        """Return what a valid form says."""
        values = self.cleaned_data
        return Said(values["answer"], values["confidence"], values["cited_page"])

    @property
    def name(self) -> str:
        """The finding that the form is about, "" before it was sent."""
        return str(self.data.get("finding", ""))

    def typed(self, field: str) -> Any:
        """Return what was typed into a field, to be shown again."""
        return self.data.get(field, "")

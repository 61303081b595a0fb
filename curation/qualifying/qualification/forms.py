"""Forms of qualification: the filter of the queue, and decisions on many applications."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.process import prepared_reasons
from curation.base.process.lifecycle import ApplicationStage
from curation.base.text import storable
from curation.base.web.forms import days_filter
from curation.joining.domains.forms import domain_filter
from curation.qualifying.applications.models import Application

YEARS = {"3": (3, 5), "6": (6, 10), "11": (11, 20), "21": (21, 200)}


class QueueFilter(forms.Form):
    """The filter of the list of applications."""

    q = forms.CharField(
        required=False, max_length=200, label=_("Search"), widget=forms.SearchInput()
    )
    stage = forms.ChoiceField(
        required=False,
        label=_("Stage"),
        choices=[("", _("All stages")), *ApplicationStage.choices],
    )
    domain = domain_filter()
    route = forms.ChoiceField(
        required=False,
        label=_("How they came to us"),
        choices=[("", _("Any way")), *Application.Route.choices],
    )
    years = forms.ChoiceField(
        required=False,
        label=_("Years of practice"),
        choices=[
            ("", _("Any")),
            ("3", _("3 to 5")),
            ("6", _("6 to 10")),
            ("11", _("11 to 20")),
            ("21", _("more than 20")),
        ],
    )
    days = days_filter()


class WordsForm(forms.Form):
    """Words to applicants who are admitted; they may be left out."""

    words = forms.CharField(
        required=False,
        max_length=4000,
        label=_("Your own words"),
        help_text=_("Sent to every applicant you ticked. They may be left out."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class RejectForm(forms.Form):
    """The reason why applications are rejected: prepared, in one's own words, or both."""

    reason = forms.ChoiceField(
        required=False,
        label=_("Prepared reason"),
        help_text=_("Each applicant reads it in their own language."),
        choices=lambda: [("", _("None")), *prepared_reasons.choices()],
    )
    words = forms.CharField(
        required=False,
        max_length=4000,
        label=_("Your own words"),
        help_text=_("Added after the prepared reason, and sent to every applicant you ticked."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def clean(self) -> dict[str, Any]:
        """Refuse to reject people without a reason."""
        given: dict[str, Any] = super().clean() or {}
        if not self.errors and not given["reason"] and storable.is_blank(given["words"]):
            said = _("Give a reason, prepared or your own. Each applicant reads it.")
            self.add_error("words", said)
        return given

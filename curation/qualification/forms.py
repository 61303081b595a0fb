"""Forms of qualification: the filter of the queue, and the bulk decision."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.applications.models import Application
from curation.domains.forms import domain_filter
from curation.process import prepared_reasons
from curation.process.lifecycle import ApplicationStage


class QueueFilter(forms.Form):
    """The filter and the order of the list of applications."""

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
    days = forms.ChoiceField(
        required=False,
        label=_("In this stage for"),
        choices=[
            ("", _("Any time")),
            ("3", _("3 days or more")),
            ("7", _("a week or more")),
            ("30", _("30 days or more")),
        ],
    )
    sort = forms.ChoiceField(
        required=False,
        label=_("Order"),
        choices=[
            ("", _("Waiting first")),
            ("newest", _("Newest first")),
            ("years", _("Most years first")),
            ("domain", _("By domain")),
            ("name", _("By name")),
        ],
    )


class BulkForm(forms.Form):
    """The reasons of a bulk decision on applications."""

    reason = forms.ChoiceField(
        required=False,
        label=_("Prepared reason"),
        help_text=_("Each applicant reads it in their own language."),
    )
    words = forms.CharField(
        required=False,
        max_length=4000,
        label=_("Your own words"),
        help_text=_("Added after the prepared reason, and sent to every applicant you ticked."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        select = self.fields["reason"]
        assert isinstance(select, forms.ChoiceField)
        select.choices = [("", _("None")), *prepared_reasons.choices()]

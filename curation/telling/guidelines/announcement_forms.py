"""Forms of announcements."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import DayField
from curation.base.web.once import ReadVersionField
from curation.joining.domains.models import Domain
from curation.telling.guidelines.announcement_actions import TEXT_LIMIT, TITLE_LIMIT
from curation.telling.guidelines.announcement_models import STATES


class _Words(forms.Form):
    """Title and text; the actions check them."""

    title = forms.CharField(
        max_length=TITLE_LIMIT,
        label=_("Title"),
        error_messages={"required": _("Give the announcement a title.")},
    )
    text = forms.CharField(
        label=_("Text"),
        error_messages={"required": _("Write what you announce.")},
        help_text=_("In Markdown."),
        widget=forms.Textarea(attrs={"rows": 8, "maxlength": TEXT_LIMIT}),
    )


class AnnouncementForm(_Words):
    """A new announcement."""

    for_everybody = forms.TypedChoiceField(
        label=_("For whom"),
        choices=[("1", _("Everybody, applicants too")), ("0", _("Experts"))],
        coerce=lambda value: value == "1",
        initial="1",
        widget=forms.RadioSelect,
    )
    domains = forms.ModelMultipleChoiceField(
        Domain.objects.filter(external=False),
        to_field_name="key",
        required=False,
        label=_("Domains"),
        help_text=_("For the experts of these alone; choose none for the experts of all."),
        widget=forms.CheckboxSelectMultiple,
    )
    shown_from = DayField(
        label=_("First day"), help_text=_("Empty for today. Notices go out on this day.")
    )
    shown_until = DayField(label=_("Last day"), help_text=_("Empty to show it until you end it."))

    def values(self) -> dict[str, Any]:
        """Return the arguments of `announce`."""
        return {**self.cleaned_data, "domains": list(self.cleaned_data["domains"])}


class CorrectionForm(_Words):
    """New words for an announcement."""

    version = ReadVersionField()


class AnnouncementFilter(forms.Form):
    """The filter of staff's list."""

    state = forms.ChoiceField(
        required=False, label=_("State"), choices=[("", _("All")), *STATES.items()]
    )

"""How the list of notices may be narrowed."""

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.notices import Topic


class NoticeFilter(forms.Form):
    """Allowed parameters of the list; anything else is refused."""

    show = forms.ChoiceField(
        required=False,
        label=_("Show"),
        choices=[("", _("All, unread first")), ("unread", _("Only unread"))],
    )
    topic = forms.ChoiceField(
        required=False, label=_("About"), choices=[("", _("Everything")), *Topic.choices]
    )
    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)

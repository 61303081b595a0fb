"""The filter of the list of notices, and the form of preferences."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.joining.notices.notify import Topic
from curation.joining.people.models import User


class NoticeFilter(forms.Form):
    """The parameters of the list; any other is refused."""

    show = forms.ChoiceField(
        required=False,
        label=_("Show"),
        choices=[("", _("All, unread first")), ("unread", _("Only unread"))],
    )
    topic = forms.ChoiceField(
        required=False, label=_("About"), choices=[("", _("Everything")), *Topic.choices]
    )
    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class PreferencesForm(forms.ModelForm):
    """A person's language, e-mails and keyboard shortcuts."""

    class Meta:
        model = User
        fields = ("language", "notice_mode", "single_keys")
        labels = {
            "language": _("Language of the workbench"),
            "notice_mode": _("Notices by e-mail"),
            "single_keys": _("Single-key shortcuts work while no text box has the focus"),
        }
        help_texts = {
            "notice_mode": _("Whatever you choose, every notice is listed under Notices."),
            "single_keys": _(
                "A to approve, R to request a change, J and K for lines. ? lists all."
            ),
        }
        widgets = {"language": forms.RadioSelect, "notice_mode": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.is_bound and "notice_mode" not in self.data:
            del self.fields["notice_mode"]  # keep the stored mode

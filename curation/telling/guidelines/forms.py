"""The form in which staff write a guideline."""

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.once import ReadVersionField
from curation.telling.guidelines.actions import CHANGE_LIMIT, TEXT_LIMIT


class GuidelineForm(forms.Form):
    """The text, and what changed in it; the actions check both."""

    version = ReadVersionField()
    text = forms.CharField(
        label=_("Text"),
        error_messages={"required": _("Write the guideline first.")},
        help_text=_("In Markdown. Each heading is a rule that people can ask about."),
        widget=forms.Textarea(attrs={"rows": 24, "maxlength": TEXT_LIMIT}),
    )
    what_changed = forms.CharField(
        required=False,
        label=_("What changed"),
        help_text=_("Needed to publish. Everybody who works by the guideline is told these words."),
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": CHANGE_LIMIT}),
    )

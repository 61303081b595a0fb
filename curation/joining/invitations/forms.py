"""Forms of invitations. The rules are in the actions."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from curation.joining.domains.models import Domain
from curation.joining.invitations.actions import problems_with_person, problems_with_vendor
from curation.joining.invitations.links import STATES
from curation.joining.invitations.models import Invitation


class _Common(forms.Form):
    """The fields of every invitation by staff."""

    domain = forms.ModelChoiceField(
        Domain.objects.filter(external=False),
        required=False,
        label=_("Domain"),
        empty_label=_("They choose"),
    )
    language = forms.ChoiceField(
        choices=settings.LANGUAGES,
        label=_("Language of the e-mail and of the workbench"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Please fill this in.")},
    )
    days = forms.IntegerField(
        label=_("Days until it ends"),
        widget=forms.NumberInput(attrs={"class": "is-num", "min": 1, "max": 365}),
        error_messages={"required": _("Please fill this in.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].initial = "en"
        self.fields["days"].initial = settings.INVITATION_DAYS

    # Returns field -> what is wrong with it; one of the functions in the actions.
    problems: Callable[[Mapping[str, Any]], dict[str, list[str]]]

    def clean(self) -> dict[str, Any]:
        """Check the rules even if a field is missing, so that all errors are shown at once."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        for name, sentences in type(self).problems(dict(given)).items():
            self.add_error(name, [str(sentence) for sentence in sentences])
        return given


class PersonForm(_Common):
    """Invites one person."""

    problems = staticmethod(problems_with_person)
    field_order = ["email", "name", "domain", "language", "days"]
    email = forms.CharField(
        max_length=254,
        label=_("E-mail address"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Type the address the link goes to.")},
    )
    name = forms.CharField(
        max_length=120,
        label=_("Name"),
        help_text=_("Colleagues see a pseudonym. Only staff see the name."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Type the person's name. Only staff see it.")},
    )


class VendorForm(_Common):
    """Makes a link for a vendor's people."""

    problems = staticmethod(problems_with_vendor)
    field_order = ["vendor", "email", "max_uses", "domain", "language", "days"]
    vendor = forms.CharField(
        max_length=200,
        label=_("Vendor"),
        error_messages={"required": _("Type the vendor's name.")},
    )
    email = forms.CharField(
        required=False,
        max_length=254,
        label=_("E-mail address of their contact"),
        help_text=_("We send the link there. Without an address, copy it from the next page."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    max_uses = forms.IntegerField(
        label=_("People who may use it"),
        widget=forms.NumberInput(attrs={"class": "is-num", "min": 1}),
        error_messages={"required": _("Say how many people the link lets in.")},
    )


class InvitationFilter(forms.Form):
    """Narrows the list of invitations."""

    kind = forms.ChoiceField(
        required=False, label=_("Kind"), choices=[("", _("All kinds")), *Invitation.Kind.choices]
    )
    state = forms.ChoiceField(
        required=False, label=_("State"), choices=[("", _("All states")), *STATES.items()]
    )

"""The forms of django-allauth without its placeholders: they repeat the label above the box."""

from typing import Any

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from allauth.mfa.base import forms as second
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from curation.invitations.actions import arrive, take_place
from curation.invitations.links import Link
from curation.invitations.models import Invitation
from curation.text import storable
from curation.web.refusals import Conflict


class _Plain:
    """Takes the placeholders out of a form's widgets."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        for name, label in _LABELS.items():
            if name in self.fields:
                self.fields[name].label = label
        if "password1" in self.fields:  # a refusal says what else is wrong with it
            self.fields["password1"].help_text = _("At least 8 characters, and no common password.")


_LABELS = {
    "login": _("E-mail address"),
    "email": _("E-mail address"),
    "oldpassword": _("Current password"),
}


def _new_password(fields: dict[str, Any]) -> None:
    fields["password1"].label = _("New password")
    fields["password2"].label = _("New password, once more")


class LoginForm(_Plain, allauth.LoginForm):
    """Sign in."""


class SignupForm(_Plain, allauth.SignupForm):
    """Open an account."""


class AddEmailForm(_Plain, allauth.AddEmailForm):
    """Another address."""


class ChangePasswordForm(_Plain, allauth.ChangePasswordForm):
    """Change the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _new_password(self.fields)


class SetPasswordForm(_Plain, allauth.SetPasswordForm):
    """The first password."""


class ResetPasswordForm(_Plain, allauth.ResetPasswordForm):
    """Ask for a link."""


class ResetPasswordKeyForm(_Plain, allauth.ResetPasswordKeyForm):
    """Choose a new password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _new_password(self.fields)


class ReauthenticateForm(_Plain, allauth.ReauthenticateForm):
    """The password again."""


# --- the second factor ----------------------------------------------------------------------------
_CODE = {"inputmode": "numeric", "autocomplete": "one-time-code", "autocapitalize": "off"}


class AuthenticateForm(_Plain, second.AuthenticateForm):
    """The code, while signing in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code from your app, or a recovery code")
        # A recovery code may be typed with letters about it on some keyboards: no numeric pad.
        self.fields["code"].widget.attrs |= _CODE | {"autofocus": True, "inputmode": "text"}


class SecondFactorAgainForm(_Plain, second.ReauthenticateForm):
    """The code once more, before something that protects the account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code from your app, or a recovery code")
        self.fields["code"].widget.attrs |= _CODE | {"inputmode": "text"}


class ActivateTOTPForm(_Plain, totp.ActivateTOTPForm):
    """The first code of a new app."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("The code the app shows now")
        self.fields["code"].widget.attrs |= _CODE


class AddPasskeyForm(_Plain, webauthn.AddWebAuthnForm):
    """A new passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Its name, for you")
        self.fields["name"].max_length = 60
        self.fields["passwordless"].label = _("Sign in with it alone, without the password")
        self.fields["passwordless"].help_text = _(
            "The device then asks for your finger, face or PIN instead."
        )
        self.fields["passwordless"].initial = True


class RenamePasskeyForm(_Plain, webauthn.EditWebAuthnForm):
    """Another name for a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Its name, for you")

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        problem = storable.problem_with(name, limit=60)
        if problem:
            raise forms.ValidationError(problem)
        return storable.clean(name)


# --- coming in ------------------------------------------------------------------------------------
class JoinForm(SignupForm):
    """Open an account by an invitation. The invited person's address cannot be changed."""

    field_order = ["display_name", "email", "password1", "password2"]
    display_name = forms.CharField(
        max_length=120,
        label=_("Your name"),
        help_text=_("Colleagues see a pseudonym. Only staff see the name."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    def __init__(self, *args: Any, link: Link, **kwargs: Any) -> None:
        self.link = link
        super().__init__(*args, **kwargs)
        if link.invitation.kind == Invitation.Kind.PERSON:
            self.fields["display_name"].initial = link.invitation.name
            self.fields["email"].initial = link.invitation.email
            self.fields["email"].disabled = True

    def clean_display_name(self) -> str:
        name: str = self.cleaned_data["display_name"]
        problem = storable.problem_with(name, limit=120)
        if problem or storable.is_blank(name):
            raise forms.ValidationError(problem or _("Type your name. Only staff see it."))
        return storable.clean(name)

    def save(self, request: Any) -> Any:
        """Use the invitation and make the account: both, or neither.

        Raises:
            Conflict: the same address was sent twice at the same moment.
            Gone: the invitation ended meanwhile.
        """
        invitation = self.link.invitation
        person = invitation.kind == Invitation.Kind.PERSON
        if person:
            self.cleaned_data["language"] = invitation.language
        try:
            with transaction.atomic():
                take_place(invitation)
                if person and self.link.mailed:
                    get_adapter().stash_verified_email(request, invitation.email)
                user = super().save(request)
                arrive(invitation=invitation, user=user)
        except IntegrityError:
            raise Conflict(
                _("This form was sent twice. Sign in with the address and password you typed."),
                code="sent_twice",
            ) from None
        return user

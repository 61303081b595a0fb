"""The forms of django-allauth with our labels, and the form behind an invitation."""

from typing import Any

from allauth.account import forms as account_forms
from allauth.account.adapter import get_adapter
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.webauthn import forms as webauthn_forms
from django import forms
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from curation.base.text import storable
from curation.base.web.refusals import Conflict
from curation.joining.invitations.actions import record_arrival, use_invitation
from curation.joining.invitations.links import Link
from curation.joining.invitations.models import Invitation


class _WithoutPlaceholders:
    """Removes placeholders, which only repeat the label, and sets our labels."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        for name, label in _LABELS.items():
            if name in self.fields:
                self.fields[name].label = label
        if (
            "password1" in self.fields
        ):  # instead of the list of all rules; a refusal names the broken one
            self.fields["password1"].help_text = _("At least 8 characters, and no common password.")


_LABELS = {
    "login": _("E-mail address"),
    "email": _("E-mail address"),
    "oldpassword": _("Current password"),
}


def _label_new_password(fields: dict[str, Any]) -> None:
    fields["password1"].label = _("New password")
    fields["password2"].label = _("New password, once more")


class LoginForm(_WithoutPlaceholders, account_forms.LoginForm):
    """Signs a person in."""


class SignupForm(_WithoutPlaceholders, account_forms.SignupForm):
    """Opens an account."""


class AddEmailForm(_WithoutPlaceholders, account_forms.AddEmailForm):
    """Adds an e-mail address."""


class ChangePasswordForm(_WithoutPlaceholders, account_forms.ChangePasswordForm):
    """Changes the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label_new_password(self.fields)


class SetPasswordForm(_WithoutPlaceholders, account_forms.SetPasswordForm):
    """Sets the first password of an account without one."""


class ResetPasswordForm(_WithoutPlaceholders, account_forms.ResetPasswordForm):
    """Asks for a link to a new password."""


class ResetPasswordKeyForm(_WithoutPlaceholders, account_forms.ResetPasswordKeyForm):
    """Sets a new password, after a mailed link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label_new_password(self.fields)


class ReauthenticateForm(_WithoutPlaceholders, account_forms.ReauthenticateForm):
    """Asks for the password again before a sensitive step."""


# --- the second factor ----------------------------------------------------------------------------
_CODE = {"inputmode": "numeric", "autocomplete": "one-time-code", "autocapitalize": "off"}


class AuthenticateForm(_WithoutPlaceholders, mfa_forms.AuthenticateForm):
    """Asks for the second factor while signing in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code from your app, or a recovery code")
        # Recovery codes may have letters, so no numeric keypad.
        self.fields["code"].widget.attrs |= _CODE | {"autofocus": True, "inputmode": "text"}


class SecondFactorAgainForm(_WithoutPlaceholders, mfa_forms.ReauthenticateForm):
    """Asks for the second factor again before a sensitive step."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code from your app, or a recovery code")
        self.fields["code"].widget.attrs |= _CODE | {"inputmode": "text"}


class ActivateTOTPForm(_WithoutPlaceholders, totp_forms.ActivateTOTPForm):
    """Sets up a code app by its first code."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("The code the app shows now")
        self.fields["code"].widget.attrs |= _CODE


class AddPasskeyForm(_WithoutPlaceholders, webauthn_forms.AddWebAuthnForm):
    """Adds a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name, so that you recognise it")
        self.fields["name"].max_length = 60
        self.fields["passwordless"].label = _("Sign in with it alone, without the password")
        self.fields["passwordless"].help_text = _(
            "The device then asks for your fingerprint, face or PIN instead."
        )
        self.fields["passwordless"].initial = True


class RenamePasskeyForm(_WithoutPlaceholders, webauthn_forms.EditWebAuthnForm):
    """Renames a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name, so that you recognise it")

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        problem = storable.problem_with(name, limit=60)
        if problem:
            raise forms.ValidationError(problem)
        return storable.clean(name)


# --- joining -------------------------------------------------------------------------------------
class JoinForm(SignupForm):
    """Opens an account by an invitation. The address of an invited person cannot be changed."""

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
        """Use the invitation and create the account in one transaction.

        Raises:
            Conflict: `sent_twice`: a parallel request created the account.
            Gone: the invitation has ended meanwhile.
        """
        invitation = self.link.invitation
        person = invitation.kind == Invitation.Kind.PERSON
        if person:
            self.cleaned_data["language"] = invitation.language
        try:
            with transaction.atomic():
                use_invitation(invitation)
                if person and self.link.mailed:
                    get_adapter().stash_verified_email(request, invitation.email)
                user = super().save(request)
                record_arrival(invitation=invitation, user=user)
        except IntegrityError:
            raise Conflict(
                _("This form was sent twice. Sign in with the address and password you typed."),
                code="sent_twice",
            ) from None
        return user

"""The forms of django-allauth without its placeholders: they repeat the label above the box."""

from typing import Any

from allauth.account import forms as allauth


class _Plain:
    """Takes the placeholders out of a form's widgets."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)


class LoginForm(_Plain, allauth.LoginForm):
    """Sign in."""


class SignupForm(_Plain, allauth.SignupForm):
    """Open an account."""


class AddEmailForm(_Plain, allauth.AddEmailForm):
    """Another address."""


class ChangePasswordForm(_Plain, allauth.ChangePasswordForm):
    """Change the password."""


class SetPasswordForm(_Plain, allauth.SetPasswordForm):
    """The first password."""


class ResetPasswordForm(_Plain, allauth.ResetPasswordForm):
    """Ask for a link."""


class ResetPasswordKeyForm(_Plain, allauth.ResetPasswordKeyForm):
    """Choose a new password."""


class ReauthenticateForm(_Plain, allauth.ReauthenticateForm):
    """The password again."""

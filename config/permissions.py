"""Permissions and trails of the routes that libraries define: django-allauth and the admin."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.trail import Trail

OPEN_POST = {"GET": "open", "POST": "open"}
SIGNED_POST = {"GET": "signed_in", "POST": "signed_in"}

ROUTES = {
    "set_language": {"POST": "open"},
    # django-allauth
    "account_login": OPEN_POST,
    "account_logout": SIGNED_POST,
    "account_inactive": {"GET": "open"},
    "account_reauthenticate": SIGNED_POST,
    "account_change_password": SIGNED_POST,
    "account_set_password": SIGNED_POST,
    "account_email": SIGNED_POST,
    "account_reset_password": OPEN_POST,
    "account_reset_password_done": {"GET": "open"},
    "account_reset_password_from_key": OPEN_POST,
    "account_reset_password_from_key_done": {"GET": "open"},
    # django-allauth: second factor
    "mfa_index": {"GET": "signed_in"},
    "mfa_authenticate": OPEN_POST,  # half-way through signing in
    "mfa_login_webauthn": OPEN_POST,
    "mfa_reauthenticate": SIGNED_POST,
    "mfa_reauthenticate_webauthn": SIGNED_POST,
    "mfa_activate_totp": SIGNED_POST,
    "mfa_deactivate_totp": SIGNED_POST,
    "mfa_view_recovery_codes": {"GET": "signed_in"},
    "mfa_generate_recovery_codes": SIGNED_POST,
    "mfa_download_recovery_codes": {"GET": "signed_in"},
    "mfa_list_webauthn": {"GET": "signed_in"},
    "mfa_add_webauthn": SIGNED_POST,
    "mfa_edit_webauthn": SIGNED_POST,
    "mfa_remove_webauthn": SIGNED_POST,
    "admin:logout": SIGNED_POST | {"GET": "staff"},
    "admin:*": {"GET": "staff", "POST": "staff.administration"},
}

# Pages of one's own account; the others are steps of signing in.
TRAILS = {
    "account_email": Trail(label=_("E-mail address"), up="preferences"),
    "account_change_password": Trail(label=_("Password"), up="preferences"),
    "mfa_index": Trail(label=_("Second factor"), up="preferences"),
}

"""Rows of accounts and invitations: route name -> verb -> permission."""

from curation.routes import OPEN_POST, SIGNED_POST

ROUTES: dict[str, dict[str, str]] = {
    "account_confirm_email": OPEN_POST,  # the signed link is the permission
    "account_email_verification_sent": OPEN_POST,
    "join": OPEN_POST,  # the signed link is the permission
    "sessions": SIGNED_POST,
    "tokens": {"GET": "signed_in"},
    "token-new": SIGNED_POST,
    "token-end": {"POST": "signed_in"},
    "referral": {"GET": "expert", "POST": "expert"},
    "staff-account": {"GET": "staff", "POST": "staff"},
    "staff-token-end": {"POST": "staff"},
    "staff-invitations": {"GET": "staff"},
    "staff-invitation": {"GET": "staff", "POST": "staff"},
    "staff-invite": {"GET": "staff", "POST": "staff"},
    "staff-invite-vendor": {"GET": "staff", "POST": "staff"},
}

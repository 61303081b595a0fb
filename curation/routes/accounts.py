"""Rows of accounts and invitations: route name -> verb -> permission."""

from curation.routes import OPEN_POST, SIGNED_POST

ROUTES: dict[str, dict[str, str]] = {
    "join": OPEN_POST,  # the signed link is the permission
    "sessions": SIGNED_POST,
    "referral": {"GET": "expert", "POST": "expert"},
    "staff-account": {"GET": "staff", "POST": "staff"},
    "staff-invitations": {"GET": "staff"},
    "staff-invitation": {"GET": "staff", "POST": "staff"},
    "staff-invite": {"GET": "staff", "POST": "staff"},
    "staff-invite-vendor": {"GET": "staff", "POST": "staff"},
}

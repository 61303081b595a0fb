"""Addresses of accounts and invitations."""

from django.urls import URLPattern, path, re_path

from curation.views import accounts, confirming, invitations, tokens

urlpatterns: list[URLPattern] = [
    # These two stand before the library's own, under the library's names and addresses.
    path(
        "account/confirm-email/",
        confirming.verification_sent,
        name="account_email_verification_sent",
    ),
    re_path(
        r"^account/confirm-email/(?P<key>[-:\w]+)/$",
        confirming.confirm_email,
        name="account_confirm_email",
    ),
    path("join/<str:token>/", invitations.join, name="join"),
    path("account/sessions/", accounts.sessions, name="sessions"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/new/", tokens.token_new, name="token-new"),
    path("account/tokens/<int:pk>/end/", tokens.token_end, name="token-end"),
    path("preferences/referral/", invitations.referral, name="referral"),
    path("staff/people/<int:pk>/account/", accounts.staff_account, name="staff-account"),
    path(
        "staff/people/<int:pk>/account/tokens/<int:token>/end/",
        tokens.staff_token_end,
        name="staff-token-end",
    ),
    path("staff/people/invite/", invitations.staff_invite, name="staff-invite"),
    path("staff/invitations/", invitations.staff_invitations, name="staff-invitations"),
    path("staff/invitations/<int:pk>/", invitations.staff_invitation, name="staff-invitation"),
    path("staff/invitations/vendor/", invitations.staff_invite_vendor, name="staff-invite-vendor"),
]

"""Addresses of accounts and invitations."""

from django.urls import URLPattern, path

from curation.views import accounts, invitations

urlpatterns: list[URLPattern] = [
    path("join/<str:token>/", invitations.join, name="join"),
    path("account/sessions/", accounts.sessions, name="sessions"),
    path("preferences/referral/", invitations.referral, name="referral"),
    path("staff/people/<int:pk>/account/", accounts.staff_account, name="staff-account"),
    path("staff/people/invite/", invitations.staff_invite, name="staff-invite"),
    path("staff/invitations/", invitations.staff_invitations, name="staff-invitations"),
    path("staff/invitations/<int:pk>/", invitations.staff_invitation, name="staff-invitation"),
    path("staff/invitations/vendor/", invitations.staff_invite_vendor, name="staff-invite-vendor"),
]

"""Pages of invitations."""

from curation.access.page import page
from curation.invitations import views

urlpatterns = [
    page("preferences/referral/", views.referral, "referral", GET="expert", POST="expert"),
    page(
        "staff/people/invite/",
        views.staff_invite,
        "staff-invite",
        menu="staff-people",
        GET="staff",
        POST="staff",
    ),
    page(
        "staff/invitations/",
        views.staff_invitations,
        "staff-invitations",
        menu="staff-people",
        GET="staff",
    ),
    page(
        "staff/invitations/<int:pk>/",
        views.staff_invitation,
        "staff-invitation",
        menu="staff-people",
        GET="staff",
        POST="staff",
    ),
    page(
        "staff/invitations/vendor/",
        views.staff_invite_vendor,
        "staff-invite-vendor",
        menu="staff-people",
        GET="staff",
        POST="staff",
    ),
]

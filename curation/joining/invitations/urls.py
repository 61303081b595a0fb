"""Pages of invitations."""

from curation.base.access.page import page
from curation.joining.invitations import many_views, views

urlpatterns = [
    page("preferences/referral/", views.referral, "referral", GET="expert", POST="expert"),
    page(
        "staff/people/invite/",
        views.staff_invite,
        "staff-invite",
        menu="staff-people",
        GET="staff",
        POST="staff.recruiting",
    ),
    page(
        "staff/people/invite/many/",
        many_views.staff_invite_many,
        "staff-invite-many",
        menu="staff-people",
        GET="staff",
        POST="staff.recruiting",
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
        POST="staff.recruiting",
    ),
    page(
        "staff/invitations/vendor/",
        views.staff_invite_vendor,
        "staff-invite-vendor",
        menu="staff-people",
        GET="staff",
        POST="staff.recruiting",
    ),
]

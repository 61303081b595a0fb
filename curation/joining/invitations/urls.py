"""Pages of invitations."""

from curation.base.access.page import Pages, page
from curation.joining.invitations import many_views, views

staff = Pages("staff/", menu="staff-people", GET="staff", POST="staff.recruiting")

urlpatterns = [
    page("preferences/referral/", views.referral, "referral", GET="expert", POST="expert"),
    staff("people/invite/", views.staff_invite, "staff-invite", "GET POST"),
    staff("people/invite/many/", many_views.staff_invite_many, "staff-invite-many", "GET POST"),
    staff("invitations/", views.staff_invitations, "staff-invitations", "GET"),
    staff("invitations/<int:pk>/", views.staff_invitation, "staff-invitation", "GET POST"),
    staff("invitations/vendor/", views.staff_invite_vendor, "staff-invite-vendor", "GET POST"),
]

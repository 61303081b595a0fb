"""Pages of invitations."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from curation.joining.invitations import many_views, views

staff = Pages("staff/", menu="staff-people", GET="staff", POST="staff.recruiting")

urlpatterns = [
    page("preferences/referral/", views.referral, "referral", GET="expert", POST="expert",
         label=_("Invite a colleague")),
    staff("people/invite/", views.staff_invite, "staff-invite", "GET POST",
          label=_("Invite somebody"), up="staff-invitations"),
    staff("people/invite/many/", many_views.staff_invite_many, "staff-invite-many", "GET POST",
          label=_("Invite many people"), up="staff-invitations"),
    staff("invitations/", views.staff_invitations, "staff-invitations", "GET",
          label=_("Invitations"), tab="staff-people"),
    staff("invitations/<int:pk>/", views.staff_invitation, "staff-invitation", "GET POST"),
    staff("invitations/vendor/", views.staff_invite_vendor, "staff-invite-vendor", "GET POST",
          label=_("A vendor's link")),
]  # fmt: skip

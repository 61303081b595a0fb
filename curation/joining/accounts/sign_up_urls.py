"""Pages of signing up and of confirming the e-mail address.

The first three override pages of django-allauth under the same names and addresses.
"""

from django.urls import re_path

from curation.base.access.page import Pages, page
from curation.joining.accounts import confirmation_views, join_views

own = Pages(GET="open", POST="open")

urlpatterns = [
    own("account/signup/", join_views.sign_up, "account_signup", "GET POST",
        alone="before signing in"),
    own("account/confirm-email/", confirmation_views.verification_sent,
        "account_email_verification_sent", "GET POST", alone="before signing in"),
    # the signed link is the permission
    page(r"^account/confirm-email/(?P<key>[-:\w]+)/$", confirmation_views.confirm_email,
         "account_confirm_email", by=re_path, GET="open", POST="open", alone="a link of a mail"),
    # the signed link is the permission
    own("join/<str:token>/", join_views.join, "join", "GET POST", alone="a link of a mail"),
]  # fmt: skip

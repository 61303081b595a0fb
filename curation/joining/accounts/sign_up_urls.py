"""Pages of signing up and of confirming the e-mail address.

The first three override pages of django-allauth under the same names and addresses.
"""

from django.urls import re_path

from curation.base.access.page import page
from curation.joining.accounts import confirmation_views, join_views

urlpatterns = [
    page("account/signup/", join_views.sign_up, "account_signup", GET="open", POST="open"),
    page(
        "account/confirm-email/",
        confirmation_views.verification_sent,
        "account_email_verification_sent",
        GET="open",
        POST="open",
    ),
    page(
        r"^account/confirm-email/(?P<key>[-:\w]+)/$",
        confirmation_views.confirm_email,
        "account_confirm_email",
        GET="open",
        POST="open",
        by=re_path,
    ),  # the signed link is the permission
    page(
        "join/<str:token>/", join_views.join, "join", GET="open", POST="open"
    ),  # the signed link is the permission
]

"""Pages of API tokens."""

from curation.base.access.page import page
from curation.joining.accounts import api_token_views as views

urlpatterns = [
    page("account/tokens/", views.tokens, "tokens", GET="signed_in"),
    page("account/tokens/new/", views.token_new, "token-new", GET="signed_in", POST="signed_in"),
    page("account/tokens/<int:pk>/end/", views.token_end, "token-end", POST="signed_in"),
    page(
        "staff/people/<int:pk>/account/tokens/<int:token>/end/",
        views.staff_token_end,
        "staff-token-end",
        POST="staff.administration",
    ),
]

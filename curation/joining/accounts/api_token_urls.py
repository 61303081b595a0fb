"""Pages of API tokens."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from curation.joining.accounts import api_token_views as views

tokens = Pages("account/tokens/", GET="signed_in", POST="signed_in")

urlpatterns = [
    tokens("", views.tokens, "tokens", "GET", label=_("API tokens"), up="preferences"),
    tokens("new/", views.token_new, "token-new", "GET POST", label=_("Make a token")),
    tokens("<int:pk>/end/", views.token_end, "token-end", "POST"),
    page("staff/people/<int:pk>/account/tokens/<int:token>/end/", views.staff_token_end,
         "staff-token-end", POST="staff.administration"),
]  # fmt: skip

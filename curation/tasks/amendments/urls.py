"""Pages of amendments."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.tasks.amendments import views

page = Pages(menu="tasks", GET="signed_in", POST="signed_in")

urlpatterns = [
    page("tasks/<int:pk>/amend/", views.amend, "task-amend", "GET POST",
         label=_("Propose an amendment")),
    page("amendments/", views.amendments, "amendments", menu="", GET="senior_or_staff",
         label=_("Amendments"), alone="linked from Home and from tasks"),
    page("amendments/<int:pk>/", views.amendment, "amendment", "GET", menu="", POST="senior"),
    page("amendments/<int:pk>/withdraw/", views.withdraw, "amendment-withdraw", "POST"),
]  # fmt: skip

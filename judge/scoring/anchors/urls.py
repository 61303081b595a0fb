"""Pages of anchors."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.scoring.anchors import views

page = Pages("staff/gold/anchors/", menu="gold", GET="staff", POST="staff.gold")

urlpatterns = [
    page("", views.staff_anchors, "gold-anchors", "GET POST", label=_("Anchors"), tab="gold"),
    page("<int:pk>/baseline/", views.replace, "gold-baseline", "GET POST",
         label=_("Another baseline")),
]  # fmt: skip

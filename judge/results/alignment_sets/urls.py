"""Pages of alignment sets."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.alignment_sets import views

page = Pages("staff/alignment/sets/", menu="alignment", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("", views.sets, "alignment-sets", "GET", label=_("Alignment sets")),
    page("new/", views.new_set, "alignment-set-new", "GET POST", label=_("Draw an alignment set")),
    page("<int:pk>/", views.one_set, "alignment-set", "GET"),
]

"""Pages of alignment sets."""

from curation.base.access.page import Pages
from judge.results.alignment_sets import views

page = Pages("staff/alignment/sets/", menu="alignment", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("", views.sets, "alignment-sets", "GET"),
    page("new/", views.new_set, "alignment-set-new", "GET POST"),
    page("<int:pk>/", views.one_set, "alignment-set", "GET"),
]

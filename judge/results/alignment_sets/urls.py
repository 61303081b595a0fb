"""Pages of alignment sets."""

from curation.base.access.page import page
from judge.results.alignment_sets import views

urlpatterns = [
    page("staff/alignment/sets/", views.sets, "alignment-sets", menu="alignment", GET="staff"),
    page(
        "staff/alignment/sets/new/",
        views.new_set,
        "alignment-set-new",
        menu="alignment",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/alignment/sets/<int:pk>/",
        views.one_set,
        "alignment-set",
        menu="alignment",
        GET="staff",
    ),
]

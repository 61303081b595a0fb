"""Pages of checklists, for staff and for seniors of the task's domain."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.methods.query_checklists import views

page = Pages("checklists/", menu="labels", GET="senior_or_staff", POST="senior_or_editing")

urlpatterns = [
    page("", views.checklists, "query-checklists", "GET", label=_("Checklists")),
    page("<int:pk>/", views.checklist, "query-checklist", "GET POST", label="task"),
    page("<int:pk>/<int:number>/", views.checklist_number, "query-checklist-number", "GET",
         label="task"),
    page("proposals/<int:pk>/overrule/<int:label>/<int:line>/", views.overrule,
         "checklist-overrule", "GET POST", up="query-checklist"),
    page("proposals/<int:pk>/add/", views.add_skill, "checklist-add-skill", "POST"),
    page("proposals/<int:pk>/use/", views.use, "checklist-use", "POST"),
    page("proposals/<int:pk>/drop/", views.drop, "checklist-drop", "POST"),
    page("overruled/<int:pk>/take-back/", views.take_back, "checklist-take-back", "POST"),
]  # fmt: skip

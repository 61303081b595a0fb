"""Pages of checklists, for staff and for seniors of the task's domain."""

from curation.base.access.page import page
from judge.methods.query_checklists import views

MENU = "labels"
WHO, ACTS = "senior_or_staff", "senior_or_editing"
urlpatterns = [
    page("checklists/", views.checklists, "query-checklists", menu=MENU, GET=WHO),
    page("checklists/<int:pk>/", views.checklist, "query-checklist", menu=MENU, GET=WHO, POST=ACTS),
    page(
        "checklists/<int:pk>/<int:number>/",
        views.checklist_number,
        "query-checklist-number",
        menu=MENU,
        GET=WHO,
    ),
    page(
        "checklists/proposals/<int:pk>/overrule/<int:label>/<int:line>/",
        views.overrule,
        "checklist-overrule",
        menu=MENU,
        GET=WHO,
        POST=ACTS,
    ),
    page(
        "checklists/proposals/<int:pk>/add/",
        views.add_skill,
        "checklist-add-skill",
        menu=MENU,
        POST=ACTS,
    ),
    page("checklists/proposals/<int:pk>/use/", views.use, "checklist-use", POST=ACTS),
    page("checklists/proposals/<int:pk>/drop/", views.drop, "checklist-drop", POST=ACTS),
    page(
        "checklists/overruled/<int:pk>/take-back/",
        views.take_back,
        "checklist-take-back",
        POST=ACTS,
    ),
]

"""Pages of the skills library and of the labels of tasks."""

from curation.base.access.page import page
from curation.tasks.skills import label_views, views

MENU = "work-maps"
urlpatterns = [
    page("staff/work-map/<key:key>/skills/", views.skills, "skills", menu=MENU, GET="staff"),
    page(
        "staff/work-map/<key:key>/skills/new/",
        views.label_new,
        "skill-label-new",
        menu=MENU,
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/work-map/<key:key>/skills/effort/",
        views.effort,
        "skills-effort",
        menu=MENU,
        GET="staff",
    ),
    page("staff/work-map/<key:key>/skills/table.csv", views.skills_csv, "skills-csv", GET="staff"),
    page(
        "staff/work-map/<key:key>/skills/table.xlsx",
        views.skills_xlsx,
        "skills-xlsx",
        GET="staff",
    ),
    page(
        "staff/skills/<int:pk>/",
        views.label,
        "skill-label",
        menu=MENU,
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/skills/<int:pk>/retire/",
        views.label_retire,
        "skill-label-retire",
        menu=MENU,
        POST="staff.editing",
    ),
    page(
        "staff/skills/<int:pk>/begin/",
        views.skill_begin,
        "skill-begin",
        menu=MENU,
        POST="staff.editing",
    ),
    page(
        "staff/skills/<int:pk>/effort/",
        views.effort_enter,
        "skill-effort",
        menu=MENU,
        POST="staff.editing",
    ),
    page(
        "staff/skill-effort/<int:pk>/take-back/",
        views.effort_take_back,
        "skill-effort-take-back",
        POST="staff.editing",
    ),
    page(
        "staff/categories/<int:pk>/open-judgement/",
        views.open_judgement,
        "open-judgement",
        menu=MENU,
        GET="staff",
        POST="staff.editing",
    ),
    page("labels/", label_views.labels, "labels", menu="labels", GET="senior_or_staff"),
    page(
        "labels/<int:pk>/",
        label_views.task_labels,
        "task-labels",
        menu="labels",
        GET="senior_or_staff",
        POST="senior_or_editing",
    ),
    page(
        "labels/proposals/<int:pk>/",
        label_views.proposal,
        "label-proposal",
        POST="senior_or_editing",
    ),
]

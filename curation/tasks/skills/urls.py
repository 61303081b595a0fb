"""Pages of the skills library and of the labels of tasks."""

from curation.base.access.page import Pages
from curation.tasks.skills import label_views, views

staff = Pages("staff/", menu="work-maps", GET="staff", POST="staff.editing")
labels = Pages("labels/", menu="labels", GET="senior_or_staff", POST="senior_or_editing")

urlpatterns = [
    staff("work-map/<key:key>/skills/", views.skills, "skills", "GET"),
    staff("work-map/<key:key>/skills/new/", views.label_new, "skill-label-new", "GET POST"),
    staff("work-map/<key:key>/skills/effort/", views.effort, "skills-effort", "GET"),
    staff("work-map/<key:key>/skills/table.csv", views.skills_csv, "skills-csv", "GET"),
    staff("work-map/<key:key>/skills/table.xlsx", views.skills_xlsx, "skills-xlsx", "GET"),
    staff("skills/<int:pk>/", views.label, "skill-label", "GET POST"),
    staff("skills/<int:pk>/retire/", views.label_retire, "skill-label-retire", "POST"),
    staff("skills/<int:pk>/begin/", views.skill_begin, "skill-begin", "POST"),
    staff("skills/<int:pk>/effort/", views.effort_enter, "skill-effort", "POST"),
    staff(
        "skill-effort/<int:pk>/take-back/", views.effort_take_back, "skill-effort-take-back", "POST"
    ),
    staff(
        "categories/<int:pk>/open-judgement/", views.open_judgement, "open-judgement", "GET POST"
    ),
    labels("", label_views.labels, "labels", "GET"),
    labels("<int:pk>/", label_views.task_labels, "task-labels", "GET POST"),
    labels("proposals/<int:pk>/", label_views.proposal, "label-proposal", "POST"),
]

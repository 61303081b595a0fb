"""Pages of the skills library and of the labels of tasks."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.tasks.skills import label_views, views

staff = Pages("staff/", menu="work-maps", GET="staff", POST="staff.editing")
labels = Pages("labels/", menu="labels", GET="senior_or_staff", POST="senior_or_editing")

urlpatterns = [
    staff("work-map/<key:key>/skills/", views.skills, "skills", "GET", label=_("Skills library"),
          short=_("%(domain)s · Skills library"), of="domain", up="work-maps"),
    staff("work-map/<key:key>/skills/new/", views.label_new, "skill-label-new", "GET POST",
          label=_("New label")),
    staff("work-map/<key:key>/skills/effort/", views.effort, "skills-effort", "GET",
          label=_("Effort account")),
    staff("work-map/<key:key>/skills/table.csv", views.skills_csv, "skills-csv", "GET"),
    staff("work-map/<key:key>/skills/table.xlsx", views.skills_xlsx, "skills-xlsx", "GET"),
    staff("skills/<int:pk>/", views.label, "skill-label", "GET POST", label="label", up="skills"),
    staff("skills/<int:pk>/retire/", views.label_retire, "skill-label-retire", "POST"),
    staff("skills/<int:pk>/begin/", views.skill_begin, "skill-begin", "POST"),
    staff("skills/<int:pk>/effort/", views.effort_enter, "skill-effort", "POST"),
    staff("skill-effort/<int:pk>/take-back/", views.effort_take_back, "skill-effort-take-back",
          "POST"),
    staff("categories/<int:pk>/open-judgement/", views.open_judgement, "open-judgement", "GET POST",
          label="category", up="skills"),
    labels("", label_views.labels, "labels", "GET", label=_("Label tasks"), short=_("Labels"),
           go="y"),
    labels("<int:pk>/", label_views.task_labels, "task-labels", "GET POST", label="task"),
    labels("proposals/<int:pk>/", label_views.proposal, "label-proposal", "POST"),
]  # fmt: skip

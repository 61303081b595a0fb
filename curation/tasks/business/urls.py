"""Pages of tasks from business."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.tasks.business import views

page = Pages("staff/", menu="work-maps", GET="staff", POST="staff.editing")

urlpatterns = [
    page("business/", views.business, "business", "GET", label=_("Tasks from business")),
    page("business/new/", views.business_new, "business-new", "GET POST",
         label=_("Enter a task from business")),
    page("business/<int:pk>/", views.business_task, "business-task", "GET POST", label="task"),
    page("business/<int:pk>/record/", views.business_record, "business-record", "GET POST",
         label=_("Owner and permission")),
    page("deidentification/<int:pk>/confirm/", views.business_confirm, "business-confirm", "POST"),
    page("deidentification/<int:pk>/send-back/", views.business_send_back, "business-send-back",
         "POST"),
]  # fmt: skip

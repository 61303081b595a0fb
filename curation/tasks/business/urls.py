"""Pages of tasks from business."""

from curation.base.access.page import Pages
from curation.tasks.business import views

page = Pages("staff/", menu="work-maps", GET="staff", POST="staff.editing")

urlpatterns = [
    page("business/", views.business, "business", "GET"),
    page("business/new/", views.business_new, "business-new", "GET POST"),
    page("business/<int:pk>/", views.business_task, "business-task", "GET POST"),
    page("business/<int:pk>/record/", views.business_record, "business-record", "GET POST"),
    page("deidentification/<int:pk>/confirm/", views.business_confirm, "business-confirm", "POST"),
    page(
        "deidentification/<int:pk>/send-back/",
        views.business_send_back,
        "business-send-back",
        "POST",
    ),
]

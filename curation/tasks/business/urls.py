"""Pages of tasks from business."""

from curation.base.access.page import page
from curation.tasks.business import views

MENU = "work-maps"
urlpatterns = [
    page("staff/business/", views.business, "business", menu=MENU, GET="staff"),
    page(
        "staff/business/new/",
        views.business_new,
        "business-new",
        menu=MENU,
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/business/<int:pk>/",
        views.business_task,
        "business-task",
        menu=MENU,
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/business/<int:pk>/record/",
        views.business_record,
        "business-record",
        menu=MENU,
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/deidentification/<int:pk>/confirm/",
        views.business_confirm,
        "business-confirm",
        POST="staff.editing",
    ),
    page(
        "staff/deidentification/<int:pk>/send-back/",
        views.business_send_back,
        "business-send-back",
        menu=MENU,
        POST="staff.editing",
    ),
]

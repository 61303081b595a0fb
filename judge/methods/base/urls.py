"""Pages of the methods of judging, for staff."""

from curation.base.access.page import page
from judge.methods.base import views

urlpatterns = [
    page("staff/methods/", views.staff_methods, "staff-methods", menu="staff-runs", GET="staff"),
    page(
        "staff/methods/bands/", views.staff_method_bands, "staff-method-bands",
        menu="staff-runs", GET="staff", POST="staff.scoring",
    ),
    page(
        "staff/methods/scale/", views.staff_method_scale, "staff-method-scale",
        menu="staff-runs", GET="staff", POST="staff.scoring",
    ),
    page(
        "staff/methods/demand/", views.staff_method_demand, "staff-method-demand",
        menu="staff-runs", GET="staff", POST="staff.scoring",
    ),
]  # fmt: skip

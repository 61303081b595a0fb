"""Pages of the methods of judging, for staff."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.methods.base import views

page = Pages("staff/methods/", menu="staff-runs", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("", views.staff_methods, "staff-methods", "GET", label=_("Methods of judging"),
         tab="staff-runs"),
    page("bands/", views.staff_method_bands, "staff-method-bands", "GET POST"),
    page("scale/", views.staff_method_scale, "staff-method-scale", "GET POST"),
    page("demand/", views.staff_method_demand, "staff-method-demand", "GET POST"),
]  # fmt: skip

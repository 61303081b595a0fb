"""Pages of honoraria."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.staff.honoraria import views

staff = Pages("staff/honoraria/", menu="staff-people", GET="staff", POST="staff.administration")
honoraria = Pages("honoraria/", GET="signed_in", POST="signed_in")

urlpatterns = [
    honoraria("", views.own_work, "honoraria", "GET POST", label=_("My work and honoraria"),
              alone="in the menu of the account"),
    honoraria("payee/", views.own_payee, "honoraria-payee", "POST"),
    staff("", views.entries, "staff-honoraria", "GET", label=_("Honoraria"),
          tab="staff-people staff-honoraria"),
    staff("rates/", views.rates, "staff-honoraria-rates", "GET POST", label=_("Rates"),
          tab="staff-honoraria"),
    staff("rates/<int:pk>/take-back/", views.rate_take_back, "staff-honoraria-rate-take-back",
          "POST"),
    staff("payroll/", views.payroll, "staff-payroll", "GET POST", label=_("Payroll files"),
          tab="staff-honoraria"),
    staff("payroll/<int:number>.<slug:kind>", views.payroll_file, "staff-payroll-file", "GET"),
    staff("people/<int:pk>/", views.person, "staff-honoraria-person", "GET POST",
          up="staff-person"),
    staff("people/<int:pk>/payee/", views.payee, "staff-honoraria-payee", "POST"),
]  # fmt: skip

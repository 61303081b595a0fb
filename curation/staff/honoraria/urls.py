"""Pages of honoraria."""

from curation.base.access.page import Pages
from curation.staff.honoraria import staff_views, views

staff = Pages("staff/honoraria/", menu="staff-people", GET="staff", POST="staff.administration")
honoraria = Pages("honoraria/", GET="signed_in", POST="signed_in")

urlpatterns = [
    honoraria("", views.own_work, "honoraria", "GET POST"),
    honoraria("payee/", views.own_payee, "honoraria-payee", "POST"),
    staff("", staff_views.entries, "staff-honoraria", "GET"),
    staff("rates/", staff_views.rates, "staff-honoraria-rates", "GET POST"),
    staff(
        "rates/<int:pk>/take-back/",
        staff_views.rate_take_back,
        "staff-honoraria-rate-take-back",
        "POST",
    ),
    staff("budget/", staff_views.budget, "staff-honoraria-budget", "GET"),
    staff("payroll/", staff_views.payroll, "staff-payroll", "GET POST"),
    staff(
        "payroll/<int:number>.<slug:kind>", staff_views.payroll_file, "staff-payroll-file", "GET"
    ),
    staff("people/<int:pk>/", staff_views.person, "staff-honoraria-person", "GET POST"),
    staff("people/<int:pk>/payee/", staff_views.payee, "staff-honoraria-payee", "POST"),
]

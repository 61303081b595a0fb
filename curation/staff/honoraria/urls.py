"""Pages of honoraria."""

from curation.base.access.page import page
from curation.staff.honoraria import staff_views, views

urlpatterns = [
    page("honoraria/", views.own_work, "honoraria", GET="signed_in", POST="signed_in"),
    page("honoraria/payee/", views.own_payee, "honoraria-payee", POST="signed_in"),
    page(
        "staff/honoraria/", staff_views.entries, "staff-honoraria", menu="staff-people", GET="staff"
    ),
    page(
        "staff/honoraria/rates/",
        staff_views.rates,
        "staff-honoraria-rates",
        menu="staff-people",
        GET="staff",
        POST="staff.administration",
    ),
    page(
        "staff/honoraria/rates/<int:pk>/take-back/",
        staff_views.rate_take_back,
        "staff-honoraria-rate-take-back",
        menu="staff-people",
        POST="staff.administration",
    ),
    page(
        "staff/honoraria/budget/",
        staff_views.budget,
        "staff-honoraria-budget",
        menu="staff-people",
        GET="staff",
    ),
    page(
        "staff/honoraria/payroll/",
        staff_views.payroll,
        "staff-payroll",
        menu="staff-people",
        GET="staff",
        POST="staff.administration",
    ),
    page(
        "staff/honoraria/payroll/<int:number>.<slug:kind>",
        staff_views.payroll_file,
        "staff-payroll-file",
        menu="staff-people",
        GET="staff",
    ),
    page(
        "staff/honoraria/people/<int:pk>/",
        staff_views.person,
        "staff-honoraria-person",
        menu="staff-people",
        GET="staff",
        POST="staff.administration",
    ),
    page(
        "staff/honoraria/people/<int:pk>/payee/",
        staff_views.payee,
        "staff-honoraria-payee",
        menu="staff-people",
        POST="staff.administration",
    ),
]

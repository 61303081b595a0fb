"""Pages of agreement."""

from curation.base.access.page import page
from judge.scoring.agreement import views

urlpatterns = [
    page("staff/agreement/", views.agreement, "agreement", menu="agreement", GET="senior_or_staff"),
    page(
        "staff/agreement.csv",
        views.agreement_csv,
        "agreement-csv",
        menu="agreement",
        GET="senior_or_staff",
    ),
    page(
        "staff/agreement/<int:pk>/",
        views.agreement_task,
        "agreement-task",
        menu="agreement",
        GET="senior_or_staff",
    ),
    page(
        "staff/agreement/<int:pk>/lines.csv",
        views.agreement_lines,
        "agreement-lines",
        menu="agreement",
        GET="senior_or_staff",
    ),
    page(
        "staff/agreement/<int:pk>/take/",
        views.agreement_take,
        "agreement-take",
        menu="agreement",
        POST="senior",
    ),
    page(
        "staff/agreement/<int:pk>/settle/",
        views.agreement_settle,
        "agreement-settle",
        menu="agreement",
        POST="senior",
    ),
]

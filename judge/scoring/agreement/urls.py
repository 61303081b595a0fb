"""Pages of agreement."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.scoring.agreement import views

page = Pages("staff/", menu="agreement", GET="senior_or_staff", POST="senior")

urlpatterns = [
    page("agreement/", views.agreement, "agreement", "GET", label=_("Agreement"), go="k"),
    page("agreement.csv", views.agreement_csv, "agreement-csv", "GET"),
    page("agreement/<int:pk>/", views.agreement_task, "agreement-task", "GET", label="task"),
    page("agreement/<int:pk>/lines.csv", views.agreement_lines, "agreement-lines", "GET"),
    page("agreement/<int:pk>/take/", views.agreement_take, "agreement-take", "POST"),
    page("agreement/<int:pk>/settle/", views.agreement_settle, "agreement-settle", "POST"),
]

"""Pages and API of candidates, orders of answers and responses."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.registry import api, views

staff = Pages("staff/", menu="staff-runs", GET="staff", POST="staff.scoring")
rest = Pages("candidates/", GET="staff", POST="staff.scoring", PATCH="staff.scoring")

urlpatterns = [
    staff("candidates/", views.staff_candidates, "staff-candidates", "GET", label=_("Candidates"),
          tab="staff-runs"),
    staff("candidates/new/", views.new, "staff-candidate-new", "GET POST",
          label=_("Add a candidate")),
    staff("candidates/<int:pk>/", views.one, "staff-candidate", "GET POST", label="candidate.name"),
    staff("candidates/<int:pk>/retire/", views.retire, "staff-candidate-retire", "POST"),
    staff("candidates/<int:pk>/generate/", views.order, "staff-generation-new", "GET POST",
          label=_("Have it answer")),
    staff("generations/<int:pk>/", views.generation, "staff-generation", "GET POST",
          up="staff-candidate"),
    staff("responses/", views.responses, "staff-responses", "GET", label=_("Responses"),
          up="staff-candidates"),
    staff("responses/<int:pk>/", views.response, "staff-response", "GET", label="page.row.key"),
]  # fmt: skip

api_patterns = [
    rest("", api.Candidates.as_view(), "api-candidates", "GET POST"),
    rest("<int:pk>/", api.CandidateDetail.as_view(), "api-candidate", "GET PATCH"),
]

"""Pages and API of candidates, orders of answers and responses."""

from curation.base.access.page import Pages
from judge.results.registry import api, views

staff = Pages("staff/", menu="staff-runs", GET="staff", POST="staff.scoring")
rest = Pages("candidates/", GET="staff", POST="staff.scoring", PATCH="staff.scoring")

urlpatterns = [
    staff("candidates/", views.staff_candidates, "staff-candidates", "GET"),
    staff("candidates/new/", views.new, "staff-candidate-new", "GET POST"),
    staff("candidates/<int:pk>/", views.one, "staff-candidate", "GET POST"),
    staff("candidates/<int:pk>/retire/", views.retire, "staff-candidate-retire", "POST"),
    staff("candidates/<int:pk>/generate/", views.order, "staff-generation-new", "GET POST"),
    staff("generations/<int:pk>/", views.generation, "staff-generation", "GET POST"),
    staff("responses/", views.responses, "staff-responses", "GET"),
    staff("responses/<int:pk>/", views.response, "staff-response", "GET"),
]

api_patterns = [
    rest("", api.Candidates.as_view(), "api-candidates", "GET POST"),
    rest("<int:pk>/", api.CandidateDetail.as_view(), "api-candidate", "GET PATCH"),
]

"""Pages and API of candidates, orders of answers and responses."""

from curation.base.access.page import page
from judge.results.registry import api, views

urlpatterns = [
    page(
        "staff/candidates/",
        views.staff_candidates,
        "staff-candidates",
        menu="staff-runs",
        GET="staff",
    ),
    page(
        "staff/candidates/new/",
        views.new,
        "staff-candidate-new",
        menu="staff-runs",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/candidates/<int:pk>/",
        views.one,
        "staff-candidate",
        menu="staff-runs",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/candidates/<int:pk>/retire/",
        views.retire,
        "staff-candidate-retire",
        menu="staff-runs",
        POST="staff.scoring",
    ),
    page(
        "staff/candidates/<int:pk>/generate/",
        views.order,
        "staff-generation-new",
        menu="staff-runs",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/generations/<int:pk>/",
        views.generation,
        "staff-generation",
        menu="staff-runs",
        GET="staff",
        POST="staff.scoring",
    ),
    page(
        "staff/responses/",
        views.responses,
        "staff-responses",
        menu="staff-runs",
        GET="staff",
    ),
    page(
        "staff/responses/<int:pk>/",
        views.response,
        "staff-response",
        menu="staff-runs",
        GET="staff",
    ),
]

api_patterns = [
    page(
        "candidates/", api.Candidates.as_view(), "api-candidates", GET="staff", POST="staff.scoring"
    ),
    page(
        "candidates/<int:pk>/",
        api.CandidateDetail.as_view(),
        "api-candidate",
        GET="staff",
        PATCH="staff.scoring",
    ),
]

"""Addresses of all nouns of the review app."""

from review.conflicts import urls as conflicts
from review.decisions import urls as decisions
from review.policy import urls as policy
from review.rounds import assignment_urls as assignment
from review.rounds import urls as rounds
from review.spot_checks import urls as spot_checks
from review.staff import urls as staff

urlpatterns = [
    *rounds.urlpatterns,
    *assignment.urlpatterns,
    *spot_checks.urlpatterns,
    *decisions.urlpatterns,
    *staff.urlpatterns,
    *policy.urlpatterns,
    *conflicts.urlpatterns,
]

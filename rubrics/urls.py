"""Addresses of all nouns of the rubrics app."""

from rubrics.composition import urls as composition
from rubrics.corrections import urls as corrections
from rubrics.drafts import urls as drafts
from rubrics.files import urls as files
from rubrics.handover import urls as handover
from rubrics.policy import urls as policy
from rubrics.versions import urls as versions
from rubrics.workbench import urls as workbench

urlpatterns = [
    *workbench.urlpatterns,
    *corrections.urlpatterns,
    *handover.urlpatterns,
    *drafts.urlpatterns,
    *versions.urlpatterns,
    *files.urlpatterns,
    *policy.urlpatterns,
    *composition.urlpatterns,
]

api_patterns = [
    *files.api_patterns,
]

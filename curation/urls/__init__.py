"""Curation's addresses."""

from curation.urls import (
    accounts,
    applying,
    attachments,
    exams,
    notices,
    qualification,
    search,
    tasks,
)

urlpatterns = [
    *accounts.urlpatterns,
    *applying.urlpatterns,
    *qualification.urlpatterns,
    *exams.urlpatterns,
    *tasks.urlpatterns,
    *notices.urlpatterns,
    *attachments.urlpatterns,
    *search.urlpatterns,
]
api_patterns = tasks.api_patterns

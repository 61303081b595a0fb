"""Judge's addresses."""

from judge.urls import drafts, scoring, staff

urlpatterns = [*drafts.urlpatterns, *scoring.urlpatterns, *staff.urlpatterns]
api_patterns = [*scoring.api_patterns, *staff.api_patterns]

"""Judge's addresses."""

from judge.urls import scoring, staff

urlpatterns = [*scoring.urlpatterns, *staff.urlpatterns]

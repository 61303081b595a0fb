"""Curation's addresses."""

from curation.urls import qualification, tasks

urlpatterns = [*qualification.urlpatterns, *tasks.urlpatterns]

"""Addresses of the search."""

from django.urls import URLPattern, path

from curation.views import search

urlpatterns: list[URLPattern] = [
    path("search/", search.search_page, name="search"),
    path("search/found/", search.search_found, name="search-found"),
]

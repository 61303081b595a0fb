"""Pages of the search: the results, and the list that the search box shows while typing."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from curation.base.web.forms import read_filter
from curation.telling.search.forms import SearchForm
from curation.telling.search.search import search

ON_THE_PAGE = 20
IN_THE_BOX = 5


def search_page(request: HttpRequest) -> HttpResponse:
    """Show the results by kind. Works without JavaScript."""
    form = read_filter(SearchForm, request.GET)
    typed = form.cleaned_data["q"]
    return render(
        request,
        "telling/search/page.html",
        {"typed": typed, "groups": search(request.user, typed, most=ON_THE_PAGE)},
    )


def search_found(request: HttpRequest) -> HttpResponse:
    """Return the list below the search box: a fragment."""
    form = read_filter(SearchForm, request.GET)
    typed = form.cleaned_data["q"]
    groups = search(request.user, typed, most=IN_THE_BOX)
    return render(
        request,
        "telling/search/found.html",
        {"typed": typed, "groups": groups, "count": sum(len(group.hits) for group in groups)},
    )

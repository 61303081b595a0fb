"""Home puts together what each app knows about a person."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html", {})


def gallery(request: HttpRequest) -> HttpResponse:
    """Every component of the design, for contributors."""
    return render(request, "gallery.html")

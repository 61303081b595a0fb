"""What the spot checks found, for staff."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from review.spot_checks.findings import findings as spot_check_findings


def findings(request: HttpRequest) -> HttpResponse:
    """What spot checks found, and the share that was drawn."""
    return render(request, "review/findings.html", {"found": spot_check_findings()})

"""Staff's view of what spot checks found."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from review.spot_checks.findings import findings as spot_check_findings


def findings(request: HttpRequest) -> HttpResponse:
    """Show what spot checks found and the share of rubrics drawn."""
    return render(request, "review/findings.html", {"found": spot_check_findings()})

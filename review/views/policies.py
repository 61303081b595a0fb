"""The staff's pages about the rules of review."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation.errors import BadInput
from curation.models import Domain
from curation.rulebook import domain_of
from review.actions import policies as rules
from review.forms import ReviewPolicyForm
from review.models import ReviewPolicy, Rules
from review.queries.findings import findings as spot_check_findings


def findings(request: HttpRequest) -> HttpResponse:
    """What spot checks found, and the share that was drawn."""
    return render(request, "review/findings.html", {"found": spot_check_findings()})


def policies(request: HttpRequest) -> HttpResponse:
    """The rules of every domain's reviews, and who changed them."""
    return render(
        request,
        "review/policies.html",
        {
            "policies": rules.BOOK.listed(),
            "changes": _told(),
        },
    )


def policy(request: HttpRequest, key: str) -> HttpResponse:
    """Read and change the rules of one domain, or of all others."""
    domain = domain_of(key)
    own = ReviewPolicy.objects.filter(domain=domain).first()
    form = ReviewPolicyForm(initial=rules.rules_of(own or rules.common_policy()))
    if request.method == "POST":
        form = ReviewPolicyForm(request.POST)
        if form.is_valid():
            try:
                rules.change_policy(actor=request.user, domain=domain, **form.rules())
            except BadInput as refused:
                form.blame(refused)
        if not form.errors:
            messages.success(request, _("These rules hold for reviews that begin from now on."))
            return redirect("staff-review-policies")
    return render(
        request,
        "review/policy.html",
        {
            "form": form,
            "domain": domain,
            "own": own is not None,
            "changes": _told(domain),
        },
        status=400 if form.errors else 200,
    )


def _told(*of: Domain | None) -> list[dict[str, Any]]:
    labels = {name: field.label for name, field in ReviewPolicyForm.base_fields.items()}
    return rules.BOOK.told(labels, dict(Rules.Colleagues.choices), *of)

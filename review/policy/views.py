"""The staff's pages about the rules of review."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.domains.models import Domain
from curation.domains.policies import domain_of
from curation.web.step import go, refused_at, status_of
from review.policy import actions as rules
from review.policy.forms import ReviewPolicyForm
from review.policy.models import ReviewPolicy, Rules


def policies(request: HttpRequest) -> HttpResponse:
    """The rules of every domain's reviews, and who changed them."""
    return render(
        request,
        "review_policy/policies.html",
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
            with refused_at(form):
                rules.change_policy(actor=request.user, domain=domain, **form.rules())
        if not form.errors:
            return go(
                request,
                _("These rules hold for reviews that begin from now on."),
                "staff-review-policies",
            )
    return render(
        request,
        "review_policy/policy.html",
        {
            "form": form,
            "domain": domain,
            "own": own is not None,
            "changes": _told(domain),
        },
        status=status_of(form),
    )


def _told(*of: Domain | None) -> list[dict[str, Any]]:
    labels = {name: field.label for name, field in ReviewPolicyForm.base_fields.items()}
    return rules.BOOK.told(labels, dict(Rules.Colleagues.choices), *of)

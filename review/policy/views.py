"""Staff's views of the rules of review."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from curation.joining.domains.policies import domain_of
from review.policy.actions import BOOK, change_policy, common_policy, rules_of
from review.policy.forms import ReviewPolicyForm
from review.policy.models import ReviewPolicy, Rules


def policies(request: HttpRequest) -> HttpResponse:
    """Show the rules of all domains and their changes."""
    return render(
        request,
        "review_policy/policies.html",
        {
            "policies": BOOK.listed(),
            "changes": _changes(),
        },
    )


def policy(request: HttpRequest, key: str) -> HttpResponse:
    """Show and change the rules of one domain, or the general ones."""
    domain = domain_of(key)
    own = ReviewPolicy.objects.filter(domain=domain).first()
    form = ReviewPolicyForm(initial=rules_of(own or common_policy()))
    if request.method == "POST":
        form = ReviewPolicyForm(request.POST)
        if form.is_valid():
            with refused_at(form):
                change_policy(actor=request.user, domain=domain, **form.rules())
        if not form.errors:
            return go(
                request,
                _("These rules apply to reviews that begin from now on."),
                "staff-review-policies",
            )
    return render(
        request,
        "review_policy/policy.html",
        {
            "form": form,
            "domain": domain,
            "own": own is not None,
            "changes": _changes(domain),
        },
        status=status_of(form),
    )


def _changes(*of: Domain | None) -> list[dict[str, Any]]:
    labels = {name: field.label for name, field in ReviewPolicyForm.base_fields.items()}
    return BOOK.change_log(labels, dict(Rules.Colleagues.choices), *of)

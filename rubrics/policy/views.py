"""Staff's views of the rules of rubrics."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from curation.joining.domains.policies import domain_of
from rubrics.policy.actions import BOOK, change_rules, rules_of
from rubrics.policy.forms import RulesForm
from rubrics.policy.policy import RubricPolicy, policy_for


def staff_rules(request: HttpRequest) -> HttpResponse:
    """Show the rules of all domains and their changes."""
    return render(
        request,
        "rubric_policy/rules.html",
        {
            "rows": BOOK.listed(),
            "by_settings": not RubricPolicy.objects.filter(domain=None).exists(),
            "changes": _changes(),
        },
    )


def staff_rule(request: HttpRequest, key: str) -> HttpResponse:
    """Show and change the rules of one domain, or the general ones."""
    domain = domain_of(key)
    form = RulesForm(initial=rules_of(policy_for(domain.pk if domain else None)))
    if request.method == "POST":
        form = RulesForm(request.POST)
        with refused_at(form):
            if form.is_valid():
                change_rules(actor=request.user, domain=domain, **form.rules())
        if not form.errors:
            return go(
                request,
                _("These rules apply from the next time a rubric is sent."),
                "staff-rubric-rules",
            )
    return render(
        request,
        "rubric_policy/rule.html",
        {
            "form": form,
            "domain": domain,
            "own": RubricPolicy.objects.filter(domain=domain).exists(),
            "changes": _changes(domain),
        },
        status=status_of(form),
    )


def _changes(*of: Domain | None) -> list[dict[str, Any]]:
    words = dict(RubricPolicy.Beyond.choices) | dict(RubricPolicy.Reference.choices)
    return BOOK.change_log(RulesForm.Meta.labels, words, *of)

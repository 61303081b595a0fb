"""The staff's pages about the rules of rubrics."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation.errors import BadInput
from curation.forms.qualification import take_back
from curation.models import Domain
from curation.rulebook import domain_of
from rubrics import actions
from rubrics.actions.rules import BOOK, rules_of
from rubrics.forms import RulesForm
from rubrics.rules import RubricPolicy, policy_for


def staff_rules(request: HttpRequest) -> HttpResponse:
    """The rules of every domain's rubrics, and who changed them."""
    return render(
        request,
        "rubrics/rules.html",
        {
            "rows": BOOK.listed(),
            "by_settings": not RubricPolicy.objects.filter(domain=None).exists(),
            "changes": _told(),
        },
    )


def staff_rule(request: HttpRequest, key: str) -> HttpResponse:
    """Read and change the rules of one domain, or of all others."""
    domain = domain_of(key)
    form = RulesForm(initial=rules_of(policy_for(domain.pk if domain else None)))
    if request.method == "POST":
        form = RulesForm(request.POST)
        try:
            if form.is_valid():
                actions.change_rules(actor=request.user, domain=domain, **form.rules())
        except BadInput as refusal:
            take_back(form, refusal)
        if not form.errors:
            messages.success(request, _("These rules hold from the next sending on."))
            return redirect("staff-rubric-rules")
    return render(
        request,
        "rubrics/rule.html",
        {
            "form": form,
            "domain": domain,
            "own": RubricPolicy.objects.filter(domain=domain).exists(),
            "changes": _told(domain),
        },
        status=400 if form.errors else 200,
    )


def _told(*of: Domain | None) -> list[dict[str, Any]]:
    words = dict(RubricPolicy.Beyond.choices) | dict(RubricPolicy.Reference.choices)
    return BOOK.told(RulesForm.Meta.labels, words, *of)

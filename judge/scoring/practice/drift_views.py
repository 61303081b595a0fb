"""Staff's pages of scorers: rules, where each scorer stands, and how they drift."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.web.forms import ReasonForm
from curation.base.web.refusals import BadInput
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from curation.joining.domains.policies import domain_of
from curation.joining.people.models import User
from judge.scoring.practice import actions
from judge.scoring.practice import drift_queries as queries
from judge.scoring.practice.drift_forms import ScorerPolicyForm
from judge.scoring.practice.queries import practice_rows
from judge.scoring.scorers.models import ScorerPolicy
from judge.scoring.scorers.policy import BOOK, change_policy, common_policy, policy_for, rules_of


def scorers(request: HttpRequest) -> HttpResponse:
    """Show the domains with their rules of practice and drift."""
    rows = queries.domain_rows(BOOK.listed())
    return render(request, "scoring/drift/scorers.html", {"rows": rows, "changes": _changes()})


def domain(request: HttpRequest, key: str) -> HttpResponse:
    """Show the practice sheets and scorers of a domain."""
    found = get_object_or_404(Domain, key=key, external=False)
    policy = policy_for(found.pk)
    return render(
        request,
        "scoring/drift/domain.html",
        {
            "domain": found,
            "policy": policy,
            "practice": practice_rows(found.pk),
            # Nobody reads here how their own known sheets went.
            "rows": [r for r in queries.scorer_rows(found, policy) if r.user != request.user],
        },
    )


def rules(request: HttpRequest, key: str) -> HttpResponse:
    """Show and change the rules of one domain, or the general ones."""
    found = domain_of(key)
    own = ScorerPolicy.objects.filter(domain=found).first()
    form = ScorerPolicyForm(initial=rules_of(own or common_policy()))
    if request.method == "POST":
        form = ScorerPolicyForm(request.POST)
        if form.is_valid():
            with refused_at(form):
                change_policy(actor=request.user, domain=found, **form.rules())
        if not form.errors:
            return go(request, _("Saved. The rules hold from now on."), "scorers")
    return render(
        request,
        "scoring/drift/rules.html",
        {"form": form, "domain": found, "own": own is not None, "changes": _changes(found)},
        status=status_of(form),
    )


def _changes(*of: Domain | None) -> list[dict[str, Any]]:
    labels = {name: field.label for name, field in ScorerPolicyForm.base_fields.items()}
    return BOOK.change_log(labels, {}, *of)


def scorer(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Show one scorer of a domain; a POST takes the step that `step` names, with a reason.

    Members of the staff find no such page of themselves: it tells which of their sheets are known.
    """
    found = get_object_or_404(Domain, key=key, external=False)
    reader: Any = request.user
    person = get_object_or_404(User.objects.exclude(pk=reader.pk), pk=pk)
    wanted = request.POST.get("step", "")
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        with refused_at(form):
            said = _take(wanted, request.user, person, found, form.cleaned_data["reason"])
            return go(request, said, "domain-scorer", key, pk)
    page = queries.scorer_page(person, found)
    return render(
        request,
        "scoring/drift/scorer.html",
        {
            "domain": found,
            "person": person,
            "page": page,
            "form": form,
            "step": wanted,
            "steps": page.standing.steps.select_related("by") if page.standing else (),
            "pauses": page.standing.pauses.all() if page.standing else (),
        },
        status=status_of(form),
    )


def _take(step: str, actor: Any, person: User, domain: Domain, reason: str) -> str:
    steps: dict[str, tuple[Callable[..., Any], str]] = {
        "lift": (actions.lift_pause, _("Lifted. The scorer knows, and is given sheets again.")),
        "again": (actions.ask_to_practise, _("Asked. A practice sheet comes before new sheets.")),
        "let": (actions.let_through, _("The scorer knows, and is given sheets now.")),
    }
    if step not in steps:
        raise BadInput(_("Choose a step."))
    take, said = steps[step]
    take(actor=actor, person=person, domain=domain, reason=reason)
    return said

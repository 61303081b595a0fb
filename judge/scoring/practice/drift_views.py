"""Staff's pages of scorers: rules, where each scorer stands, and how they drift."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import ReasonForm
from curation.base.web.refusals import BadInput
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from curation.joining.domains.rule_pages import RulePages
from curation.joining.people import User
from judge.scoring.practice import actions
from judge.scoring.practice import drift_queries as queries
from judge.scoring.practice.queries import practice_rows
from judge.scoring.scorers.policy import BOOK, policy_for

RULES = RulePages(
    BOOK,
    title=_("Rules of practice and drift"),
    applies=_(
        "They hold from the moment you set them. Scorers do not see which of their sheets have "
        "known verdicts."
    ),
    done=_("Saved. The rules hold from now on."),
    labels={
        "practice_share": _("Practice: lines that have to agree, in percent"),
        "known_rate": _("Known sheets among 100 assigned ones"),
        "pause_below": _("Pause below this agreement, in percent"),
        "pause_lines": _("Known lines that this looks at"),
    },
    helps={
        "practice_share": _("0 to 100. With 0, handing in the practice sheet is enough to pass."),
        "known_rate": _("0 to 50. With 0 there are none. A hash decides after which sheets."),
        "pause_below": _("0 to 100. With 0 nobody is paused."),
        "pause_lines": _(
            "10 to 1000: the last ones of each scorer. A scorer with fewer is not paused."
        ),
    },
    list_route="scorers",
    rule_route="scorers-rules",
)


def scorers(request: HttpRequest) -> HttpResponse:
    """Show the domains with their rules of practice and drift."""
    rows = queries.domain_rows(BOOK.listed())
    return render(request, "scoring/drift/scorers.html", {"rows": rows, "changes": RULES.changes()})


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


def _take(step: str, actor: Any, person: User, domain: Domain, reason: str) -> Any:
    steps: dict[str, tuple[Callable[..., Any], Any]] = {
        "lift": (actions.lift_pause, _("Lifted. The scorer knows, and is given sheets again.")),
        "again": (actions.ask_to_practise, _("Asked. A practice sheet comes before new sheets.")),
        "let": (actions.let_through, _("The scorer knows, and is given sheets now.")),
    }
    if step not in steps:
        raise BadInput(_("Choose a step."))
    take, said = steps[step]
    take(actor=actor, person=person, domain=domain, reason=reason)
    return said

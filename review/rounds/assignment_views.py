"""Views of a reviewer's list: the pool, taking, resuming and handing back a review."""

from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.process.lifecycle import Stage
from curation.base.web.forms import ReasonForm
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.task.models import Task
from curation.tasks.task.queries import kept_off
from review.policy.actions import terms_of
from review.rounds import assignment_actions as actions
from review.rounds import assignment_queries as queries
from review.rounds import expiry
from review.rounds.assignment_queries import access_review
from rubrics.versions.task_text import task_text


class AssignForm(forms.Form):
    """A choice among the eligible reviewers."""

    reviewer = forms.TypedChoiceField(
        label=gettext_lazy("Reviewer"),
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Choose one of them."),
            "invalid_choice": gettext_lazy(
                "This person cannot review this task. Choose one of the list."
            ),
        },
    )

    def __init__(self, data: Any, people: Any) -> None:
        super().__init__(data)
        self.fields["reviewer"].choices = [  # type: ignore[attr-defined]
            (
                person.pk,
                ngettext("%(who)s · %(n)s open review", "%(who)s · %(n)s open reviews", n)
                % {"who": person.name_for_staff, "n": n},
            )
            for person in people
            for n in [person.open_reviews]
        ]


PER_PAGE = 20


def reviews(request: HttpRequest) -> HttpResponse:
    """Show the person's reviews and the pool."""
    mine = list(queries.mine(request.user))
    pool = Paginator(queries.pool(request.user), PER_PAGE).get_page(request.GET.get("page"))
    waiting = {Stage.REFINING, Stage.IN_REVIEW}
    return render(
        request,
        "review/reviews.html",
        {
            "open": [r for r in mine if r.open_round],
            "with_author": [r for r in mine if not r.open_round and r.task.stage in waiting],
            "done": [r for r in mine if not r.open_round and r.task.stage not in waiting][-10:],
            "expired": list(queries.expired(request.user)),
            "pool": pool,
        },
    )


def take(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a review from the pool."""
    task = Task.objects.filter(pk=pk, domain_id__in=request.user.qualified_domain_ids()).first()  # type: ignore[union-attr]
    if task is None or request.user.pk in kept_off(task):
        # A refusal with its reason would reveal the author to a person in conflict with them.
        raise NotFound()
    review = actions.assign(task=task, reviewer=request.user, actor=request.user)
    days = terms_of(task).days
    return go(
        request,
        ngettext(
            "The review is yours. You have %(n)s day.",
            "The review is yours. You have %(n)s days.",
            days,
        )
        % {"n": days},
        "review",
        review.pk,
    )


def resume(request: HttpRequest, pk: int) -> HttpResponse:
    """Resume an expired review."""
    review = access_review(request.user, pk, expired=True)
    expiry.resume(actor=request.user, review=review)
    return go(request, _("The review is yours again. Your verdicts are kept."), "review", review.pk)


def decline(request: HttpRequest, pk: int) -> HttpResponse:
    """Hand a review back, with a reason."""
    review = access_review(request.user, pk, "review.view")
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.decline(actor=request.user, review=review, reason=form.cleaned_data["reason"])
            return go(
                request,
                _(
                    "Handed back. The review is free for a colleague now; your remarks stay on "
                    "record."
                ),
                "reviews",
            )
    return render(
        request,
        "review/decline.html",
        {"review": review, "form": form, "task": task_text(review.task_id)},
        status=status_of(form),
    )

"""Loading a review with authority. Nobody's name is loaded with it."""

from typing import Any

from django.db.models import F
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.access import allows, authorize
from curation.errors import Conflict, NotFound, WorkbenchError
from review.models import Review, Round
from rubrics.models import Criterion


def access_review(
    user: Any, pk: int, permission: str = "review.work", *, expired: bool = False
) -> Review:
    """A person's own review, with its task's `domain_id`; another's looks like a missing one.

    Args:
        expired: whether one that expired may be loaded too.

    Raises:
        NotFound: no such review, or somebody else's.
        Denied: the qualification is no longer active.
        Conflict: it was handed back, or it expired.
    """
    review = Review.objects.annotate(domain_id=F("task__domain_id")).filter(pk=pk).first()
    if review is None or not allows(user, "review.view", review):
        raise NotFound()
    authorize(user, permission, review)
    if review.state == Review.State.DECLINED:
        raise Conflict(
            _("This review is with a colleague now: you handed it back."),
            code="handed_back",
            page=reverse("reviews"),
        )
    if review.state == Review.State.EXPIRED and not expired:
        raise Conflict(
            _(
                "This review was due and went back to the pool. If its place is still free, take "
                "it again under Reviews; your verdicts are kept."
            ),
            code="expired",
            page=reverse("reviews"),
        )
    return review


def latest_round(review: Review) -> Round:
    """The open round, or the last finished one."""
    latest = review.rounds.order_by("-number").first()
    if latest is None:
        raise NotFound()
    return latest


def access_line(review: Review, pk: int) -> Criterion:
    """A line of the reviewed task; another task's looks like a missing one."""
    line = Criterion.objects.filter(pk=pk, version__task=review.task_id).first()
    if line is None:
        raise NotFound()
    return line


def with_text(request: HttpRequest, refused: WorkbenchError) -> WorkbenchError:
    """Hand what was typed back with the refusal, so that the page can show it."""
    typed = request.POST.get("comment", "")
    if typed.strip():
        refused.data.setdefault("kept", typed)
    return refused

"""Loading a review with its permission check."""

from typing import Any

from django.db.models import F
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.access.permissions import allows, authorize
from curation.base.web.refusals import Conflict, NotFound
from review.rounds.assignment_models import Review


def access_review(
    user: Any, pk: int, permission: str = "review.work", *, expired: bool = False
) -> Review:
    """Return a person's own review, with its task's `domain_id`.

    Args:
        expired: whether an expired review may be loaded.

    Raises:
        NotFound: no such review, or another person's.
        Denied: the qualification is no longer active.
        Conflict: `handed_back` or `expired`.
    """
    rows = Review.objects.annotate(domain_id=F("task__domain_id"))  # type: ignore[no-redef]
    review = rows.filter(pk=pk).first()
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

"""Load a review with authority."""

from typing import Any

from django.db.models import F
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.access.permissions import allows, authorize
from curation.web.refusals import Conflict, NotFound
from review.assignment.models import Review


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

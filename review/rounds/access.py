"""The round and the lines of a review, without names."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from curation.base.web.refusals import NotFound, WorkbenchError
from review.rounds.assignment_models import Review, Round
from rubrics.policy.dimensions import Dimension, Importance
from rubrics.versions.models import Criterion


def latest_round(review: Review) -> Round:
    """Return the open round, or the last finished one.

    Raises:
        NotFound: the review has no round.
    """
    latest = review.rounds.order_by("-number").first()
    if latest is None:
        raise NotFound()
    return latest


def access_line(review: Review, pk: int) -> Criterion:
    """Return a line of the reviewed task.

    Raises:
        NotFound: no such line, or another task's.
    """
    line = Criterion.objects.filter(pk=pk, version__task=review.task_id).first()
    if line is None:
        raise NotFound()
    return line


def with_text(request: HttpRequest, refused: WorkbenchError) -> WorkbenchError:
    """Add what was typed to a refusal, so that the error page can show it."""
    typed = request.POST.get("comment", "")
    if typed.strip():
        refused.data.setdefault("kept", typed)
    return refused


@dataclass(frozen=True)
class Content:
    """The content of a line, without its author."""

    pk: int
    key: str
    text: str
    importance: str
    weight: int
    dimension: str

    @property
    def dimension_label(self) -> str:
        return str(Dimension(self.dimension).label)

    @property
    def importance_label(self) -> str:
        return str(Importance(self.importance).label)


def differences(old: Any, new: Content) -> str:
    """Say which of importance, weight and dimension differ ("weight 5 → 7"); empty if none does."""
    parts = []
    if old.weight != new.weight:
        parts.append(_("weight %(old)s → %(new)s") % {"old": old.weight, "new": new.weight})
    if old.importance != new.importance:
        labels = {"old": Importance(old.importance).label, "new": new.importance_label}
        parts.append(_("%(old)s → %(new)s") % labels)
    if old.dimension != new.dimension:
        label = Dimension(old.dimension).label
        parts.append(_("dimension was %(old)s") % {"old": label})
    return " · ".join(parts)

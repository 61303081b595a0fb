"""Loading the round and the lines of a review, without names."""

from django.http import HttpRequest

from curation.base.web.refusals import NotFound, WorkbenchError
from review.rounds.assignment_models import Review, Round
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

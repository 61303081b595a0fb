"""Loading a review with authority. Nobody's name is loaded with it."""

from django.http import HttpRequest

from curation.web.refusals import NotFound, WorkbenchError
from review.assignment.models import Review, Round
from rubrics.versions.models import Criterion


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

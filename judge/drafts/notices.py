"""What authors are told about drafts."""

from django.urls import reverse
from django.utils import translation

from curation.notices.notify import tell
from judge.drafts.models import DraftRequest


def draft_ended(request: DraftRequest) -> None:
    """Tell the author how the draft they asked for ended; they may be on any page by now."""
    facts = {"task": str(request.task)}
    if request.state == DraftRequest.State.FAILED:
        with translation.override(request.asked_by.language):
            facts["reason"] = str(request.get_failure_display())
    tell(
        request.asked_by,
        "draft_not_written" if "reason" in facts else "draft_written",
        once=f"draft-request-{request.pk}",
        url=reverse("rubric-drafts", args=[request.task_id]),
        **facts,
    )

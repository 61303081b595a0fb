"""Notices to authors about drafts."""

from django.urls import reverse
from django.utils import translation

from curation.joining.notices.notify import send_notice
from judge.suggesting.drafts.models import DraftRequest


def draft_ended(request: DraftRequest) -> None:
    """Tell the author how their request for a draft ended."""
    facts = {"task": str(request.task)}
    if request.state == DraftRequest.State.FAILED:
        with translation.override(request.asked_by.language):
            facts["reason"] = str(request.get_failure_display())
    send_notice(
        request.asked_by,
        "draft_not_written" if "reason" in facts else "draft_written",
        once=f"draft-request-{request.pk}",
        url=reverse("rubric-drafts", args=[request.task_id]),
        **facts,
    )

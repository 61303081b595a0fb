"""Notices about exams."""

from django.urls import reverse

from curation.joining.notices.notify import domain_facts, send_notices, seniors_of
from curation.joining.people import people_in_conflict_with
from curation.qualifying.exams.models import ExamSitting


def answers_waiting(sitting: ExamSitting) -> None:
    """Notify the seniors of the domain that short texts of a sitting wait to be graded.

    Leaves out the candidate and people in conflict with them, who may not grade the texts.
    """
    application = sitting.application
    parties = {application.user_id, *people_in_conflict_with(application.user)}
    send_notices(
        seniors_of(application.domain_id).exclude(pk__in=parties),
        "answers_waiting",
        once=f"answers-{sitting.pk}",
        url=reverse("answers"),
        **domain_facts(application.domain),
    )

"""What people are told about exams."""

from django.urls import reverse

from curation.applications.conflicts import people_in_conflict_with
from curation.exams.models import ExamSitting
from curation.notices.notify import domain_facts, seniors_of, tell_all


def answers_waiting(sitting: ExamSitting) -> None:
    """Tell the seniors of the domain that short texts of an exam wait for their marks.

    Not the candidate, and nobody with a tie to the candidate: they may not mark them.
    """
    application = sitting.application
    parties = {application.user_id, *people_in_conflict_with(application.user)}
    tell_all(
        seniors_of(application.domain_id).exclude(pk__in=parties),
        "answers_waiting",
        once=f"answers-{sitting.pk}",
        url=reverse("answers"),
        **domain_facts(application.domain),
    )

"""Notices about trial tasks."""

from django.urls import reverse

from curation.joining.notices.notify import domain_facts, send_notices, seniors_of
from curation.joining.people.conflicts import people_in_conflict_with
from curation.qualifying.trials.models import Trial


def trial_waiting(trial: Trial) -> None:
    """Notify the seniors of the domain that a trial task was handed in.

    Leaves out the applicant and people with a tie to them, who may not decide on it.
    """
    application = trial.application
    parties = {application.user_id, *people_in_conflict_with(application.user)}
    send_notices(
        seniors_of(application.domain_id).exclude(pk__in=parties),
        "trial_waiting",
        once=f"trial-{trial.pk}",
        url=reverse("trial-decide", args=[trial.pk]),
        **domain_facts(application.domain),
    )

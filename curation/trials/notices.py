"""What people are told about trials."""

from django.urls import reverse

from curation.applications.conflicts import people_in_conflict_with
from curation.notices.notify import domain_facts, seniors_of, tell_all
from curation.trials.models import Trial


def trial_waiting(trial: Trial) -> None:
    """Tell the seniors of the domain that a trial task was handed in.

    Not the applicant, and nobody with a tie to them: they may not decide on it.
    """
    application = trial.application
    parties = {application.user_id, *people_in_conflict_with(application.user)}
    tell_all(
        seniors_of(application.domain_id).exclude(pk__in=parties),
        "trial_waiting",
        once=f"trial-{trial.pk}",
        url=reverse("trial-decide", args=[trial.pk]),
        **domain_facts(application.domain),
    )

"""Notices about practice and pauses, to scorers and to staff."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from curation.base.access.duties import Duty, who_has
from curation.joining.notices.notify import Kind, Topic, domain_facts, send_notice, send_notices
from judge.scoring.scorers.models import ScorerPause, ScorerStanding

KINDS = (
    Kind(
        "scorer_ready",
        Topic.SCORING,
        _("You are given sheets in %(domain)s again"),
        _("The staff looked at it. New sheets appear on your home page as before."),
        _("Open Scoring"),
    ),
    Kind(
        "practise_again",
        Topic.SCORING,
        _("Please do another practice sheet in %(domain)s"),
        _(
            "Standards drift a little for everybody over time. The practice sheet shows line by "
            "line what was agreed; afterwards you are given new sheets again."
        ),
        _("Open Scoring"),
    ),
    Kind(
        "scoring_paused",
        Topic.SCORING,
        _("A short pause in your scoring in %(domain)s"),
        _(
            "Some of your recent verdicts differ from those that experts had agreed on. That "
            "happens to careful people too. Your open sheets stay yours; you get no new ones until "
            "the staff have looked at it together with you."
        ),
        _("Open Scoring"),
    ),
    Kind(
        "scorer_paused",
        Topic.PROGRAMME,
        _("A scorer in %(domain)s was paused"),
        _(
            "Their agreement with known verdicts fell below the rule. Look at their sheets, then "
            "lift the pause or ask for a practice sheet."
        ),
        _("Open the scorer"),
    ),
    Kind(
        "practice_none_left",
        Topic.PROGRAMME,
        _("A scorer in %(domain)s has no practice sheet left"),
        _(
            "They have not passed one, and get no sheets to score. Add a practice sheet, or let "
            "them score."
        ),
        _("Open the scorer"),
    ),
)


def ready(standing: ScorerStanding) -> None:
    """Tell a scorer that they are given sheets again."""
    _tell_scorer(standing, "scorer_ready")


def practise_again(standing: ScorerStanding) -> None:
    """Tell a scorer that staff ask for another practice sheet."""
    _tell_scorer(standing, "practise_again")


def _tell_scorer(standing: ScorerStanding, kind: str) -> None:
    send_notice(
        standing.user,
        kind,
        once=f"{kind}-{standing.pk}-{standing.steps.count()}",
        url=reverse("scoring"),
        **domain_facts(standing.domain),
    )


def paused(pause: ScorerPause) -> None:
    """Tell a scorer, and the staff, of a pause."""
    standing = pause.standing
    send_notice(
        standing.user,
        "scoring_paused",
        once=f"scorer-pause-{pause.pk}",
        url=reverse("scoring"),
        **domain_facts(standing.domain),
    )
    _tell_staff(standing, "scorer_paused", f"scorer-pause-{pause.pk}-staff")


def none_left(standing: ScorerStanding) -> None:
    """Tell the staff that a scorer who has to practise has no practice sheet left."""
    had = standing.user.practice_attempts.filter(practice_sheet__domain=standing.domain).count()
    _tell_staff(standing, "practice_none_left", f"practice-none-left-{standing.pk}-{had}")


def _tell_staff(standing: ScorerStanding, kind: str, once: str) -> None:
    """Tell the staff who can act on it; nobody about themselves."""
    send_notices(
        [person for person in who_has(Duty.SCORING) if person.pk != standing.user_id],
        kind,
        once=once,
        url=reverse("domain-scorer", args=[standing.domain.key, standing.user_id]),
        **domain_facts(standing.domain),
    )

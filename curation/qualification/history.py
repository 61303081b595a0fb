"""What happened to an application, in sentences."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from curation.applications.events import EVENTS
from curation.applications.models import Application, ApplicationEvent
from curation.process.events import Words
from curation.process.lifecycle import APPLICATION
from curation.trials.models import Trial


@dataclass(frozen=True)
class Happening:
    """One row of the story.

    Attributes:
        shape, tone: of the icon.
        text: the sentence.
        reason: what a person wrote with it.
        who: who did it; a role for the applicant, a pseudonym for staff; empty for oneself.
    """

    at: datetime
    shape: str
    tone: str
    text: str
    reason: str = ""
    who: str = ""


def happenings(application: Application, *, for_staff: bool = False) -> list[Happening]:
    """The story of an application, newest first.

    Args:
        for_staff: name who acted by pseudonym; an applicant reads roles only.
    """
    rows = [
        _moved(event, application, for_staff)
        for event in application.history.select_related("actor")
        if for_staff or "event" not in event.data  # what moves nothing is the staff's to know
    ]
    for sitting in application.sittings.filter(passed=False):
        facts = {
            "n": sitting.attempt,
            "points": sitting.points,
            "possible": sitting.points_possible,
        }
        words = _("Exam, attempt %(n)s: %(points)s of %(possible)s points, not enough.") % facts
        at = sitting.submitted_at or sitting.deadline
        rows.append(Happening(at, "square", "", words))
    for trial in application.trials.select_related("senior").prefetch_related("part_remarks"):
        if trial.submitted_at:
            words = _("Trial task handed in, version %(n)s.") % {"n": trial.number}
            rows.append(Happening(trial.submitted_at, "dot", "", words))
        if trial.verdict == trial.Verdict.RETURNED and trial.senior and trial.decided_at:
            rows.append(
                Happening(
                    trial.decided_at,
                    "return",
                    "wait",
                    _("Trial task returned for changes."),
                    _asked(trial),
                    trial.senior.pseudonym if for_staff else _("A senior of the domain"),
                )
            )
    if for_staff:
        rows += _seniority(application)
    return sorted(rows, key=lambda row: row.at, reverse=True)


def _asked(trial: Trial) -> str:
    """What a senior wrote on a returned version: on the whole, then part by part."""
    parts = [f"**{row.get_part_display()}:** {row.text}" for row in trial.part_remarks.all()]
    return "\n\n".join(words for words in (trial.remarks, *parts) if words)


def _moved(event: ApplicationEvent, application: Application, for_staff: bool) -> Happening:
    told = EVENTS.of(event.from_stage, event.to_stage, event.data)
    words = (
        told.told(event.data) if told else Words("dot", "", APPLICATION.stage_label(event.to_stage))
    )
    who = ""
    if event.actor is not None and event.actor_id != application.user_id:
        if for_staff:
            who = event.actor.pseudonym
        else:
            who = _("A senior of the domain") if "trial" in event.data else _("The staff")
    return Happening(event.at, words.icon, words.tone, words.head, event.reason, who)


def _seniority(application: Application) -> list[Happening]:
    changes: Any = application.user.qualifications.filter(domain=application.domain_id)
    return [
        Happening(
            change.at,
            "dot",
            "",
            _("Made a senior.") if change.senior else _("No longer a senior."),
            change.reason,
            change.actor.pseudonym,
        )
        for qualification in changes
        for change in qualification.seniority_changes.select_related("actor")
    ]

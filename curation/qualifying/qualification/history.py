"""The history of an application in sentences."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from curation.base.process.events import Words
from curation.base.process.lifecycle import APPLICATION
from curation.qualifying.applications.events import EVENTS
from curation.qualifying.applications.models import Application, ApplicationEvent
from curation.qualifying.trials.models import Trial


@dataclass(frozen=True)
class ApplicationHistoryEntry:
    """An entry of the history.

    Attributes:
        shape, tone: name of the icon and of its colour.
        text: the sentence.
        reason: what a person wrote with it.
        who: who did it: a role for the applicant, a pseudonym for staff; empty for the applicant
            and the machine.
    """

    at: datetime
    shape: str
    tone: str
    text: str
    reason: str = ""
    who: str = ""


def application_history(
    application: Application, *, for_staff: bool = False
) -> list[ApplicationHistoryEntry]:
    """Return the history of an application, newest first.

    Args:
        for_staff: name people by pseudonym, and include notes and seniority. An applicant reads
            roles only.
    """
    rows = [
        _stage_entry(event, application, for_staff)
        for event in application.history.select_related("actor")
        if for_staff or "event" not in event.data  # notes are for staff only
    ]
    for sitting in application.sittings.filter(passed=False):
        facts = {
            "n": sitting.attempt,
            "points": sitting.points,
            "possible": sitting.points_possible,
        }
        words = _("Exam, attempt %(n)s: %(points)s of %(possible)s points, not enough.") % facts
        at = sitting.submitted_at or sitting.deadline
        rows.append(ApplicationHistoryEntry(at, "square", "", words))
    for trial in application.trials.select_related("senior").prefetch_related("part_remarks"):
        if trial.submitted_at:
            words = _("Trial task handed in, version %(n)s.") % {"n": trial.number}
            rows.append(ApplicationHistoryEntry(trial.submitted_at, "dot", "", words))
        if trial.verdict == trial.Verdict.RETURNED and trial.senior and trial.decided_at:
            rows.append(
                ApplicationHistoryEntry(
                    trial.decided_at,
                    "return",
                    "wait",
                    _("Trial task returned for changes."),
                    _return_remarks(trial),
                    trial.senior.pseudonym if for_staff else _("A senior of the domain"),
                )
            )
    if for_staff:
        rows += _seniority_entries(application)
    return sorted(rows, key=lambda row: row.at, reverse=True)


def _return_remarks(trial: Trial) -> str:
    """Return a senior's remarks on a returned version: on the whole, then on each part."""
    parts = [f"**{row.get_part_display()}:** {row.text}" for row in trial.part_remarks.all()]
    return "\n\n".join(words for words in (trial.remarks, *parts) if words)


def _stage_entry(
    event: ApplicationEvent, application: Application, for_staff: bool
) -> ApplicationHistoryEntry:
    moved = EVENTS.of(event.from_stage, event.to_stage, event.data)
    words = (
        moved.words_for(event.data)
        if moved
        else Words("dot", "", APPLICATION.stage_label(event.to_stage))
    )
    who = ""
    if event.actor is not None and event.actor_id != application.user_id:
        if for_staff:
            who = event.actor.pseudonym
        else:
            who = _("A senior of the domain") if "trial" in event.data else _("The staff")
    return ApplicationHistoryEntry(event.at, words.icon, words.tone, words.head, event.reason, who)


def _seniority_entries(application: Application) -> list[ApplicationHistoryEntry]:
    changes: Any = application.user.qualifications.filter(domain=application.domain_id)
    return [
        ApplicationHistoryEntry(
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

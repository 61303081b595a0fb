"""What happened to an application, in sentences."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.lifecycle import ApplicationStage
from curation.models import Application, ApplicationEvent, Trial


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
    shape, tone, text = _sentence(event)
    who = ""
    if event.actor is not None and event.actor_id != application.user_id:
        if for_staff:
            who = event.actor.pseudonym
        else:
            who = _("A senior of the domain") if "trial" in event.data else _("The staff")
    return Happening(event.at, shape, tone, text, event.reason, who)


def _sentence(event: ApplicationEvent) -> tuple[str, str, str]:
    """(shape, tone, sentence) of one move."""
    stage = ApplicationStage
    if event.data.get("event") == "mark_changed":
        words = _(
            "A mark of attempt %(attempt)s was changed from %(before)s to %(after)s before the "
            "result. The remark until then:"
        )
        return "dot", "wait", words % event.data
    if not event.from_stage:
        return "ring", "", _("Application sent.")
    if event.to_stage == stage.APPLIED:
        return "ring", "", _("Application sent again.")
    if event.to_stage == stage.WITHDRAWN:
        return "square", "", _("Application withdrawn.")
    if event.to_stage == stage.EXAM:
        return "quarter", "", _("Admitted to the exam.")
    if event.to_stage == stage.TRAINING:
        words = _("Exam passed with %(points)s of %(possible)s points.")
        return "check", "yes", words % event.data if "points" in event.data else _("Exam passed.")
    if event.to_stage == stage.TRIAL:
        return "check", "yes", _("Training finished. The trial task is open.")
    if event.to_stage == stage.SUSPENDED:
        return "lock", "", _("Suspended.")
    if event.to_stage == stage.QUALIFIED:
        if event.from_stage == stage.SUSPENDED:
            return "full", "yes", _("The suspension was lifted.")
        return "full", "yes", _("Trial task accepted. Qualified.")
    if "attempts" in event.data:
        words = ngettext(
            "The exam was not passed in %(attempts)s attempt. The application is closed.",
            "The exam was not passed in %(attempts)s attempts. The application is closed.",
            event.data["attempts"],
        )
        return "cross", "no", words % event.data
    if "trial" in event.data:
        return "cross", "no", _("Trial task rejected. The application is closed.")
    return "cross", "no", _("Application turned down.")


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

"""The events of an application: words, who may read them, notices."""

from collections.abc import Callable

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.base.process.events import Data, Event, Events, Notice, Words
from curation.base.process.lifecycle import ApplicationStage

A = ApplicationStage


def _passed(data: Data) -> Words:
    words = _("Exam passed with %(points)s of %(possible)s points.")
    return Words("check", "yes", words if "points" in data else _("Exam passed."))


def _rejected(data: Data) -> Words:
    if "attempts" in data:
        words = ngettext(
            "The exam was not passed in %(attempts)s attempt. The application is closed.",
            "The exam was not passed in %(attempts)s attempts. The application is closed.",
            data["attempts"],
        )
        return Words("cross", "no", words)
    if "trial" in data:
        return Words("cross", "no", _("Trial task rejected. The application is closed."))
    return Words("cross", "no", _("Application rejected."))


def _failed(data: Data) -> str:
    if "attempts" in data:
        return "exam_closed"
    return "trial_rejected" if "trial" in data else ""


def _turned_down(data: Data) -> str:
    return "" if _failed(data) else "application_rejected"


def _notice(kind: str | Callable[[Data], str], *, with_reason: bool = False) -> tuple[Notice, ...]:
    return (Notice(kind, "application", to="applicant", with_reason=with_reason),)


NOTES = {
    "mark_changed": Event(
        label=_("Mark of an exam answer changed"),
        words=Words(
            "dot",
            "wait",
            _(
                "A mark of attempt %(attempt)s was changed from %(before)s to %(after)s before "
                "the result. The remark before that:"
            ),
        ),
        staff_only=True,
    ),
}
# Notices quote reasons of the staff. They never quote those of a senior, which may repeat text of
# the trial task.
MOVES: dict[tuple[str, str], Event] = {
    ("", A.APPLIED): Event(words=Words("ring", "", _("Application sent."))),
    (A.WITHDRAWN, A.APPLIED): Event(words=Words("ring", "", _("Application sent again."))),
    **{
        (A.WITHDRAWN, to): Event(
            words=Words(
                "return", "", _("The account was opened again, and the application goes on.")
            )
        )
        for to in (A.TRAINING, A.TRIAL)
    },
    ("", A.WITHDRAWN): Event(words=Words("square", "", _("Application withdrawn."))),
    (A.APPLIED, A.EXAM): Event(
        words=Words("quarter", "", _("Admitted to the exam.")),
        notices=_notice("application_admitted", with_reason=True),
    ),
    (A.EXAM, A.TRAINING): Event(words=_passed, notices=_notice("exam_passed")),
    (A.TRAINING, A.TRIAL): Event(
        words=Words("check", "yes", _("Training finished. The trial task is open."))
    ),
    (A.TRIAL, A.QUALIFIED): Event(
        words=Words("full", "yes", _("Trial task accepted. Qualified.")),
        notices=_notice("trial_accepted"),
    ),
    (A.QUALIFIED, A.SUSPENDED): Event(
        words=Words("lock", "", _("Suspended.")), notices=_notice("suspended", with_reason=True)
    ),
    (A.SUSPENDED, A.QUALIFIED): Event(
        words=Words("full", "yes", _("The suspension was lifted.")),
        notices=_notice("reinstated", with_reason=True),
    ),
    **{
        (A.REJECTED, to): Event(
            words=Words("return", "yes", _("Staff took the decision back.")),
            notices=_notice("application_reopened", with_reason=True),
        )
        for to in (A.APPLIED, A.EXAM, A.TRIAL)
    },
    ("", A.REJECTED): Event(
        words=_rejected, notices=(*_notice(_failed), *_notice(_turned_down, with_reason=True))
    ),
}
EVENTS = Events(notes=NOTES, moves=MOVES)

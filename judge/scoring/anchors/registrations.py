"""What anchors and their checks give to the nouns below."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.dispatch import receiver
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process import periodic_jobs
from curation.base.process.events import ActKind
from curation.base.process.periodic_jobs import Phase
from curation.base.process.roles import Role
from curation.joining.notices import notify
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.staff.honoraria import sources
from curation.staff.honoraria.models import Work
from curation.staff.honoraria.sources import PaidSource
from curation.staff.programme_settings import declared
from curation.staff.programme_settings.declared import of_states
from curation.tasks.task import finished_work, text_basis
from curation.tasks.task.finished_work import FinishedSource
from curation.tasks.task.text_basis import Basis, Rests, records
from curation.telling.activity import trail
from curation.telling.activity.trail import MACHINE, Reader, TrailEntry
from judge.asking.candidates.earlier_text import rests_on_earlier_text, rule_of_score, stale_rows
from judge.scoring.anchors import notices
from judge.scoring.anchors.actions import hand_to_senior
from judge.scoring.anchors.events import EVENTS
from judge.scoring.anchors.models import AnchorEvent, AnchorPolicy, MetaEvaluation
from judge.scoring.sheets.models import Sheet
from judge.scoring.sheets.signals import anchor_sheet_submitted

_DONE_BY = {"scoring": Role.SCORER, "meta_evaluation": Role.META_EVALUATOR}


@receiver(anchor_sheet_submitted, sender=Sheet, dispatch_uid="judge.anchors.hand_to_senior")
def hand_on(sender: Any, instance: Sheet, actor: Any, **_: Any) -> None:
    hand_to_senior(actor=actor, sheet=instance)


def _checked() -> QuerySet[MetaEvaluation]:
    return MetaEvaluation.objects.exclude(verdict="")


def anchor_trail(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    """Yield entries for staff: authors learn nothing of how responses are scored. One query."""
    if not reader.names:
        return
    for event in AnchorEvent.objects.filter(anchor__task=task).select_related("anchor"):
        note = (event.data or {}).get("event", "")
        moved = event.from_stage != event.to_stage
        label = event.anchor.process.stage_label(event.to_stage)
        yield TrailEntry(
            at=event.at,
            source="anchor",
            pk=event.pk,
            kind=ActKind.SCORING,
            role=MACHINE if event.actor_id is None else _DONE_BY.get(event.from_stage, "staff"),
            person=event.actor_id,
            head=_("The anchor is at “%(stage)s”.") % {"stage": label}
            if moved
            else EVENTS.label(note),
            quote=event.reason if event.actor_id else "",
            text="" if event.actor_id else event.reason,
            icon="full" if event.to_stage == "validated" else "dot",
        )


notify.register(*notices.KINDS)
notices.connect()
periodic_jobs.register(notices.remind_scorers, phase=Phase.REMIND)
text_basis.register(
    Rests(
        model="judge.Anchor",
        label=gettext_lazy("Anchors"),
        on=Basis.BOTH,
        then=gettext_lazy(
            "If the prompt changed, the baseline is written and scored again at once; if the "
            "rubric is affected, it is scored again when the new rubric is approved."
        ),
        stale=stale_rows(
            "Anchor", "response__", rests_on_earlier_text("response__", "sheet__version__")
        ),
    ),
    rule_of_score("MetaEvaluation", gettext_lazy("Checks of anchors"), through="sheet__"),
    *records(
        gettext_lazy("It was decided or written on a line as it was."),
        "judge.AnchorEvent",
        "judge.MetaLine",
    ),
)
parts.register(
    Part(
        "anchor_checks",
        MetaEvaluation,
        "senior",
        ("anchor__task__key", "number", "verdict", "remarks"),
    ),
)
declared.register(
    of_states(
        "anchors",
        "scoring",
        gettext_lazy("Scorers of an anchor"),
        AnchorPolicy,
        "gold-anchors",
        {"scorers": gettext_lazy("Scorers")},
        place=6,
    ),
)
finished_work.register(
    FinishedSource(gettext_lazy("checks of an anchor"), _checked, "anchor__task", "senior")
)
sources.register(
    PaidSource(Work.ANCHOR, _checked, "senior", "at", "anchor__task", "anchor__task__domain")
)
trail.register(anchor_trail)

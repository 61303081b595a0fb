"""Draft requests, anchors, sheets and rulings as entries of a task's trail; runs in the audit.

All but the draft requests are for staff only: authors learn nothing of how responses are scored.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.events import ActKind
from curation.base.process.roles import Role
from curation.telling.activity.audit import AuditSource
from curation.telling.activity.audit_sources import COMMAND_LINE, either, role_source
from curation.telling.activity.trail import MACHINE, Reader, TrailEntry
from judge.asking.calls.cost import MILLION
from judge.asking.calls.money import dollars
from judge.asking.calls.price_models import PriceEvent
from judge.base.gold_sets.models import GoldRelease
from judge.results.product_index.collecting import OperatorChange
from judge.runs.engine.models import JudgeRun, RunAct
from judge.scoring.agreement.models import Adjudication
from judge.scoring.anchors.events import EVENTS
from judge.scoring.anchors.models import AnchorEvent
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet
from judge.suggesting.drafts.models import DraftRequest


def _run_names(keys: Collection[int]) -> Mapping[int, str]:
    return {run.pk: str(run) for run in JudgeRun.objects.filter(pk__in=keys)}


def _price_names(keys: Collection[int]) -> Mapping[int, str]:
    return {row.pk: str(row) for row in PriceEvent.objects.filter(pk__in=keys)}


def _release_names(keys: Collection[int]) -> Mapping[int, str]:
    return {number: _("Release %(n)s") % {"n": number} for number in keys}


def _price_says(event: str) -> str:
    asked, _slash, answered = (part or "0" for part in event.partition("/"))
    return _("%(input)s in, %(output)s out for a million tokens") % {
        "input": dollars(int(asked) / MILLION),
        "output": dollars(int(answered) / MILLION),
    }


AUDIT_SOURCES = (
    AuditSource(
        "run", gettext_lazy("Runs"), RunAct.objects.all, "run",
        lambda kind: RunAct.Kind(kind).label, reason="", of_tasks=False, names=_run_names,
        url=lambda pk: reverse("staff-run", args=[pk]), always=True,
        nobody=COMMAND_LINE,
    ),
    AuditSource(
        "price", gettext_lazy("Prices"), PriceEvent.objects.all, "pk", _price_says, reason="",
        event=Concat(
            Cast("input_micro", CharField()), Value("/"), Cast("output_micro", CharField()),
            output_field=CharField(),
        ),
        of_tasks=False, names=_price_names, url=lambda pk: reverse("staff-prices"), always=True,
        nobody=COMMAND_LINE,
    ),
    AuditSource(
        "release", gettext_lazy("Releases"), GoldRelease.objects.all, "number",
        lambda event: _("Frozen"), person="created_by", reason="", at="created_at",
        event=Value("frozen", output_field=CharField()), of_tasks=False, names=_release_names,
        url=lambda number: reverse("gold-release", args=[number]), always=True,
        nobody=COMMAND_LINE,
    ),
    role_source(
        "role-operator", OperatorChange.objects.all, "person",
        either("operator", "operator", "operator-ended"),
    ),
)  # fmt: skip
_DONE_BY = {"scoring": Role.SCORER, "meta_evaluation": Role.META_EVALUATOR}


def judge_trail(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    """Yield the entries of judge, without the content of sheets.

    Five queries, one for a reader without names.
    """
    yield from _drafts(task, reader)
    if not reader.names:
        return
    yield from _anchor(task)
    yield from _sheets(task)
    yield from _graded_sheets(task)
    yield from _rulings(task)


def _drafts(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    for asked in DraftRequest.objects.filter(task=task).select_related("version"):
        yield TrailEntry(
            at=asked.asked_at,
            source="draft request",
            pk=asked.pk,
            kind=ActKind.VERSION,
            role=Role.AUTHOR,
            person=asked.asked_by_id,
            head=_("Asked for another draft."),
            text=asked.get_state_display(),
            quote=asked.remarks,
            version=asked.version.number if asked.version else None,
        )
        if asked.state == DraftRequest.State.FAILED:
            yield TrailEntry(
                at=asked.ended_at or asked.asked_at,
                source="draft failed",
                pk=asked.pk,
                kind=ActKind.VERSION,
                role=MACHINE,
                head=_("The draft was not written."),
                text=asked.get_failure_display(),
                quote=asked.problem if reader.names else "",
                icon="warning",
                tone="wait",
            )


def _anchor(task: Any) -> Iterator[TrailEntry]:
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


def _sheets(task: Any) -> Iterator[TrailEntry]:
    rows = Sheet.objects.filter(
        response__task=task, kind=Sheet.Kind.EXPERT, submitted_at__isnull=False
    ).order_by("submitted_at", "pk")
    for pk, at, user, response, version, purpose, rater in rows.values_list(
        "pk", "submitted_at", "user_id", "response__key", "version__number", "purpose", "rater"
    ):
        yield TrailEntry(
            at=at,  # type: ignore[arg-type]  # only submitted sheets are selected
            source="sheet",
            pk=pk,
            kind=ActKind.SCORING,
            role=MACHINE
            if user is None
            else Role.META_EVALUATOR
            if purpose == Sheet.Purpose.SETTLED
            else Role.SCORER,
            person=user,
            head=_("The sheet of response %(key)s was settled.") % {"key": response}
            if purpose == Sheet.Purpose.SETTLED
            else _("A sheet of response %(key)s was handed in.") % {"key": response},
            text=rater if purpose == Sheet.Purpose.IMPORTED else "",
            version=version,
            icon="check",
        )


def _graded_sheets(task: Any) -> Iterator[TrailEntry]:
    rows = GradedSheet.objects.filter(
        response__task=task, kind=GradedSheet.Kind.EXPERT, submitted_at__isnull=False
    ).order_by("submitted_at", "pk")
    for pk, at, user, response, rater in rows.values_list(
        "pk", "submitted_at", "user_id", "response__key", "rater"
    ):
        yield TrailEntry(
            at=at,  # type: ignore[arg-type]  # only submitted sheets are selected
            source="graded sheet",
            pk=pk,
            kind=ActKind.SCORING,
            role=MACHINE if user is None else Role.SCORER,
            person=user,
            head=_("A grade for response %(key)s was handed in.") % {"key": response},
            text=rater if user is None else "",
            icon="check",
        )


def _rulings(task: Any) -> Iterator[TrailEntry]:
    for row in Adjudication.objects.filter(task=task).select_related("criterion__version"):
        yield TrailEntry(
            at=row.at,
            source="ruling",
            pk=row.pk,
            kind=ActKind.SENIOR,
            role=Role.ADJUDICATOR,
            person=row.senior_id,
            head=_("Ruled on a disputed line: %(ruling)s.") % {"ruling": row.get_ruling_display()},
            quote=row.reason,
            version=row.criterion.version.number,
            line=row.criterion.key,
            words=row.criterion.text,
            icon="check",
            tone="yes",
        )

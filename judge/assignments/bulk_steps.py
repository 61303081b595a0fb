"""Steps on many sheets of experts: remind, give more time, take back."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.deadlines.actions import extend_deadlines, remind_of
from curation.deadlines.bulk_steps import DaysForm
from curation.lists.bulk import BulkStep
from curation.web.forms import ReasonForm
from curation.web.refusals import Conflict
from judge.anchors.hand_back import hand_back_sheet
from judge.graded_sheets.actions import hand_back_graded_sheet
from judge.graded_sheets.models import GradedSheet
from judge.sheets.models import Sheet


def _load(model: Any) -> Callable[[Collection[int]], Mapping[int, Any]]:
    def load(keys: Collection[int]) -> Mapping[int, Any]:
        rows = model.objects.filter(user__isnull=False)
        return dict(
            rows.select_related(
                "user", "response__candidate", "response__task__domain", "response__task__author"
            ).in_bulk(list(keys))
        )

    return load


def _named(sheet: Any) -> str:
    return f"{sheet.response.task} · {sheet.user.name_for_staff}"


def _only(sheet: Any) -> list[str]:
    """Return the key of an open sheet among the work in hand (`judge.assignments.in_hand`)."""
    if sheet.state != sheet.State.OPEN:
        raise Conflict(_("This sheet is submitted."), code="wrong_stage")
    return [f"{'sheet' if isinstance(sheet, Sheet) else 'graded-sheet'}-{sheet.pk}"]


def _remind(*, actor: Any, thing: Any) -> None:
    remind_of(actor=actor, task=thing.response.task, only=_only(thing))


def _extend(*, actor: Any, thing: Any, days: int) -> None:
    extend_deadlines(actor=actor, task=thing.response.task, days=days, only=_only(thing))


def _take_back(*, actor: Any, thing: Any, reason: str) -> None:
    _only(thing)
    if isinstance(thing, Sheet):
        hand_back_sheet(actor=actor, sheet=thing, reason=reason)
    else:
        hand_back_graded_sheet(actor=actor, graded_sheet=thing, reason=reason)


def _steps(model: Any) -> tuple[BulkStep, ...]:
    load = _load(model)
    return (
        BulkStep(
            key="remind",
            permission="staff.scoring",
            label=gettext_lazy("Remind …"),
            text=gettext_lazy(
                "Each scorer gets a notice about each of their open sheets, at most once a day."
            ),
            load=load,
            named=_named,
            run=_remind,
            button=lambda n: (
                ngettext("Remind about %(n)s sheet", "Remind about %(n)s sheets", n) % {"n": n}
            ),
            done=lambda n: (
                ngettext("Reminded about %(n)s sheet.", "Reminded about %(n)s sheets.", n)
                % {"n": n}
            ),
        ),
        BulkStep(
            key="extend",
            permission="staff.scoring",
            label=gettext_lazy("Give more time …"),
            text=gettext_lazy(
                "The deadline of each sheet moves, and its scorer is told. A deadline that has "
                "passed is counted from now."
            ),
            load=load,
            named=_named,
            run=_extend,
            form=DaysForm,
            asks_first=True,
            button=lambda n: (
                ngettext("More time for %(n)s sheet", "More time for %(n)s sheets", n) % {"n": n}
            ),
            done=lambda n: (
                ngettext(
                    "More time for %(n)s sheet. Its scorer was told.",
                    "More time for %(n)s sheets. Their scorers were told.",
                    n,
                )
                % {"n": n}
            ),
        ),
        BulkStep(
            key="take-back",
            permission="staff.scoring",
            label=gettext_lazy("Take back …"),
            text=gettext_lazy(
                "What was scored stays on the record. A colleague can take an anchor's response "
                "at once; any other response can be assigned again."
            ),
            load=load,
            named=_named,
            run=_take_back,
            form=ReasonForm,
            asks_first=True,
            button=lambda n: (
                ngettext("Take %(n)s sheet back", "Take %(n)s sheets back", n) % {"n": n}
            ),
            done=lambda n: (
                ngettext("%(n)s sheet was taken back.", "%(n)s sheets were taken back.", n)
                % {"n": n}
            ),
            danger=True,
        ),
    )


SHEET_STEPS = _steps(Sheet)
GRADED_SHEET_STEPS = _steps(GradedSheet)

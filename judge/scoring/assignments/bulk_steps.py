"""Steps on many sheets of experts: remind, give more time, take back."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.bulk import BulkStep
from curation.base.web.forms import ReasonForm
from curation.base.web.refusals import Conflict
from curation.staff.pipeline.deadline_bulk_steps import DaysForm
from curation.staff.pipeline.deadline_in_hand import InHand, in_hand
from curation.staff.pipeline.deadlines import extend_deadlines, remind_of
from judge.scoring.anchors.hand_back import hand_back_sheet
from judge.scoring.graded_sheets.actions import hand_back_graded_sheet
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet

_WithWork = tuple[Any, list[InHand]]  # a sheet, and the work it is


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


def _load_with_work(model: Any) -> Callable[[Collection[int]], Mapping[int, _WithWork]]:
    """Return a loader of sheets, each as the work that its scorer has in hand (none if closed)."""
    page = "sheet" if model is Sheet else "graded-sheet"

    def load(keys: Collection[int]) -> Mapping[int, _WithWork]:
        found = _load(model)(keys)
        work = in_hand({sheet.response.task_id for sheet in found.values()})
        of_sheet = {row.page_id: [row] for row in work if row.page == page}
        return {pk: (sheet, of_sheet.get(pk, [])) for pk, sheet in found.items()}

    return load


def _named_with_work(thing: _WithWork) -> str:
    return _named(thing[0])


def _check_open(sheet: Any) -> None:
    if sheet.state != sheet.State.OPEN:
        raise Conflict(_("This sheet is submitted."), code="wrong_stage")


def _remind(*, actor: Any, thing: _WithWork) -> None:
    sheet, work = thing
    _check_open(sheet)
    remind_of(actor=actor, task=sheet.response.task, work=work)


def _extend(*, actor: Any, thing: _WithWork, days: int) -> None:
    sheet, work = thing
    _check_open(sheet)
    extend_deadlines(actor=actor, task=sheet.response.task, days=days, work=work)


def _take_back(*, actor: Any, thing: Any, reason: str) -> None:
    _check_open(thing)
    if isinstance(thing, Sheet):
        hand_back_sheet(actor=actor, sheet=thing, reason=reason)
    else:
        hand_back_graded_sheet(actor=actor, graded_sheet=thing, reason=reason)


def _steps(model: Any) -> tuple[BulkStep, ...]:
    with_work: Any = {"load": _load_with_work(model), "named": _named_with_work}
    return (
        BulkStep(
            key="remind",
            permission="staff.scoring",
            label=gettext_lazy("Remind …"),
            text=gettext_lazy(
                "Each scorer gets a notice about each of their open sheets, at most once a day."
            ),
            **with_work,
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
            **with_work,
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
            load=_load(model),
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

"""Handover of open sheets and checks: a qualification ends, or a conflict becomes known."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from curation.base.web.refusals import Conflict, Denied
from curation.joining.people import TIE_FOUND, Qualification, User, held_under
from curation.tasks.task.models import Task
from judge.scoring.anchors.hand_back import NO_SCORER, NO_SENIOR, hand_back_sheet, release_check
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.assignments.queries import Found, choices_of_each
from judge.scoring.graded_sheets.actions import assign_graded_sheet, hand_back_graded_sheet
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet

AnySheet = Sheet | GradedSheet


def hand_over_sheets(ended: Collection[Qualification]) -> int:
    """Hand over the open sheets, of both kinds, of people whose qualifications ended.

    An anchor's response returns to the pool. A candidate's response is assigned to the eligible
    person with the fewest open sheets; if nobody is eligible, staff see it without a scorer.
    Sheets of imported tasks are handed over when a person has no active qualification left.

    Returns:
        how many sheets were handed over.
    """
    people = {held.user_id for held in ended}
    left = Qualification.objects.filter(user__in=people, active=True)
    without = people - set(left.values_list("user_id", flat=True))
    theirs = held_under(ended, person="user", domain="response__task__domain")
    theirs |= Q(user__in=without, response__task__domain__external=True)
    return len(_hand_over([*_open(Sheet, theirs), *_open(GradedSheet, theirs)]))


def hand_over_in_conflict(*, person: Any, author: Any) -> list[Task]:
    """Hand over a person's open sheets and checks on an author's tasks; return these tasks."""
    of_author = Q(response__task__author=author) | Q(response__task__rubric_author=author)
    theirs = Q(of_author, user=person)
    sheets = [*_open(Sheet, theirs), *_open(GradedSheet, theirs)]
    checks = MetaEvaluation.objects.filter(
        Q(anchor__task__author=author) | Q(anchor__task__rubric_author=author),
        senior=person,
        verdict="",
    ).select_related("anchor__task")
    return [
        *(sheet.response.task for sheet in _hand_over(sheets, TIE_FOUND)),
        *(check.anchor.task for check in checks.order_by("pk") if _release(check, TIE_FOUND)),
    ]


def _open(model: type[AnySheet], theirs: Q) -> Iterable[AnySheet]:
    rows = model._default_manager.filter(theirs, state=model.State.OPEN)
    return rows.select_related("response__task").order_by("pk")


@transaction.atomic
def _hand_over(sheets: Iterable[AnySheet], reason: str = NO_SCORER) -> list[AnySheet]:
    """Hand sheets back, then assign them to colleagues; return those that were still open."""
    handed_back = [sheet for sheet in sheets if _hand_back(sheet, reason)]
    _assign_to_colleagues([sheet for sheet in handed_back if _is_assigned_again(sheet)])
    return handed_back


def _hand_back(sheet: AnySheet, reason: str) -> bool:
    try:
        if isinstance(sheet, GradedSheet):
            hand_back_graded_sheet(actor=None, graded_sheet=sheet, reason=reason)
        else:
            hand_back_sheet(actor=None, sheet=sheet, reason=reason)
    except Conflict:  # submitted at the same moment: the sheet counts
        return False
    return True


def _is_assigned_again(sheet: AnySheet) -> bool:
    if sheet.version_id is None:
        return False
    return isinstance(sheet, GradedSheet) or (
        sheet.purpose == Sheet.Purpose.ALIGNMENT and sheet.kind == Sheet.Kind.EXPERT
    )


def _assign_to_colleagues(sheets: Sequence[AnySheet]) -> None:
    """Assign the responses of sheets to the eligible people with the fewest open sheets."""
    choices = choices_of_each(
        [
            Found(sheet.response_id, sheet.response.task_id, sheet.version_id or 0, "", "", 0)
            for sheet in sheets
        ]
    )
    given: Counter[int] = Counter()
    for sheet in sheets:
        people = choices[sheet.response_id]
        for choice in sorted(people, key=lambda one: (one.load + given[one.pk], one.pk)):
            if _assign(sheet, User.objects.get(pk=choice.pk)):
                given[choice.pk] += 1
                break  # without anybody, staff see the response without a scorer


def _assign(sheet: AnySheet, scorer: User) -> bool:
    """Assign the response of a sheet to another person; return whether that was possible."""
    response, item = sheet.response, sheet.flagged_item
    try:
        with transaction.atomic():
            if isinstance(sheet, GradedSheet):
                assign_graded_sheet(response=response, scorer=scorer, flagged_item=item)
            else:
                assign_alignment_sheet(
                    actor=None, response=response, scorer=scorer, flagged_item=item
                )
    except (Denied, Conflict):
        return False
    response.task.note("sheet_assigned", actor=None, response=response.key, scorer=scorer.pk)
    return True


def hand_over_checks(ended: Iterable[Qualification]) -> int:
    """Release open checks of anchors of former seniors, and return their number."""
    rows = MetaEvaluation.objects.filter(
        held_under(ended, person="senior", domain="anchor__task__domain"), verdict=""
    )
    return sum(_release(check, NO_SENIOR) for check in rows.order_by("pk"))


def _release(check: MetaEvaluation, reason: str) -> int:
    try:
        release_check(actor=None, evaluation=check, reason=reason)
    except Conflict:  # decided at the same moment: the check counts
        return 0
    return 1


def hand_over_unqualified_holders() -> int:
    """Hand over the work of people whose qualification ended without a suspension.

    A periodic job. Returns the number of sheets and checks.
    """
    active = Qualification.objects.filter(active=True, user__is_active=True)
    scorers = Sheet.objects.filter(
        ~Exists(active.filter(user=OuterRef("user"), domain=OuterRef("response__task__domain"))),
        state=Sheet.State.OPEN,
        user__isnull=False,
        response__task__domain__external=False,
    )
    seniors = MetaEvaluation.objects.filter(
        ~Exists(
            active.filter(
                user=OuterRef("senior"), domain=OuterRef("anchor__task__domain"), senior=True
            )
        ),
        verdict="",
    )
    graders = GradedSheet.objects.filter(
        ~Exists(active.filter(user=OuterRef("user"), domain=OuterRef("response__task__domain"))),
        state=GradedSheet.State.OPEN,
        response__task__domain__external=False,
    )
    sheets: list[AnySheet] = [
        *scorers.select_related("response__task"),
        *graders.select_related("response__task"),
    ]
    done = sum(len(_hand_over([sheet])) for sheet in sheets)
    return done + sum(_release(check, NO_SENIOR) for check in seniors.order_by("pk"))

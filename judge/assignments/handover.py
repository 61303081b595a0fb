"""Handover of open sheets and checks: a qualification ends, or a conflict becomes known."""

from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from curation.applications.conflicts import TIE_FOUND
from curation.people.models import Qualification, User
from curation.tasks.models import Task
from curation.web.refusals import Conflict, Denied
from judge.anchors.hand_back import NO_SCORER, NO_SENIOR, hand_back_sheet, release_check
from judge.anchors.models import MetaEvaluation
from judge.assignments.actions import assign_alignment_sheet
from judge.assignments.queries import Found, assignment_rows
from judge.candidates.models import Response
from judge.graded_sheets.actions import assign_graded_sheet, hand_back_graded_sheet
from judge.graded_sheets.models import GradedSheet
from judge.sheets.models import Sheet


def hand_over_sheets(*, user: Any, domain_id: int) -> int:
    """Hand over a person's open sheets of a domain, of both kinds, and return their number.

    An anchor's response returns to the pool. A candidate's response is assigned to the eligible
    person with the fewest open sheets; if nobody is eligible, staff see it without a scorer.
    Sheets of imported tasks are handed over when the person has no active qualification left.
    """
    where = Q(response__task__domain=domain_id)
    if not Qualification.objects.filter(user=user, active=True).exists():
        where |= Q(response__task__domain__external=True)
    rows = Sheet.objects.filter(where, user=user, state=Sheet.State.OPEN)
    done = sum(_hand_over(sheet) for sheet in rows.select_related("response__task").order_by("pk"))
    graded = GradedSheet.objects.filter(where, user=user, state=GradedSheet.State.OPEN)
    for sheet in graded.select_related("response__task").order_by("pk"):
        done += _hand_over_graded(sheet)
    return done


def hand_over_in_conflict(*, person: Any, author: Any) -> list[Task]:
    """Hand over a person's open sheets and checks on an author's tasks; return these tasks."""
    of_author = Q(response__task__author=author) | Q(response__task__rubric_author=author)
    sheets = Sheet.objects.filter(of_author, user=person, state=Sheet.State.OPEN).select_related(
        "response__task"
    )
    graded = GradedSheet.objects.filter(
        of_author, user=person, state=GradedSheet.State.OPEN
    ).select_related("response__task")
    checks = MetaEvaluation.objects.filter(
        Q(anchor__task__author=author) | Q(anchor__task__rubric_author=author),
        senior=person,
        verdict="",
    ).select_related("anchor__task")
    return [
        *(sheet.response.task for sheet in sheets.order_by("pk") if _hand_over(sheet, TIE_FOUND)),
        *(one.response.task for one in graded.order_by("pk") if _hand_over_graded(one, TIE_FOUND)),
        *(check.anchor.task for check in checks.order_by("pk") if _release(check, TIE_FOUND)),
    ]


@transaction.atomic
def _hand_over(sheet: Sheet, reason: str = NO_SCORER) -> int:
    response, version = sheet.response, sheet.version_id
    try:
        hand_back_sheet(actor=None, sheet=sheet, reason=reason)
    except Conflict:  # submitted at the same moment: the sheet counts
        return 0
    counted = sheet.kind == Sheet.Kind.EXPERT
    if sheet.purpose == Sheet.Purpose.ALIGNMENT and counted and version is not None:
        _assign_to_colleague(response, version, sheet.flagged_item)
    return 1


@transaction.atomic
def _hand_over_graded(sheet: GradedSheet, reason: str = NO_SCORER) -> int:
    response, version = sheet.response, sheet.version_id
    try:
        hand_back_graded_sheet(actor=None, graded_sheet=sheet, reason=reason)
    except Conflict:  # submitted at the same moment: the grade counts
        return 0
    if version is not None:
        _assign_to_colleague(response, version, sheet.flagged_item, graded=True)
    return 1


def _assign_to_colleague(
    response: Response, version: int, flagged_item: Any, *, graded: bool = False
) -> None:
    task = response.task
    wanted = Found(response.pk, task.pk, version, "", "", 0)
    for row in assignment_rows([wanted]):
        for choice in sorted(row.choices, key=lambda one: (one.load, one.pk)):
            scorer = User.objects.get(pk=choice.pk)
            try:
                with transaction.atomic():
                    if graded:
                        assign_graded_sheet(
                            response=response, scorer=scorer, flagged_item=flagged_item
                        )
                    else:
                        assign_alignment_sheet(
                            actor=None,
                            response=response,
                            scorer=scorer,
                            flagged_item=flagged_item,
                        )
            except (Denied, Conflict):
                continue  # without anybody, staff see the response without a scorer
            task.note("sheet_assigned", actor=None, response=response.key, scorer=scorer.pk)
            return


def hand_over_checks(*, user: Any, domain_id: int) -> int:
    """Release a senior's open checks of anchors in a domain and return their number."""
    rows = MetaEvaluation.objects.filter(
        senior=user, verdict="", anchor__task__domain=domain_id
    ).order_by("pk")
    return sum(_release(check, NO_SENIOR) for check in rows)


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
    done = sum(_hand_over(sheet) for sheet in scorers.select_related("response__task"))
    done += sum(_hand_over_graded(sheet) for sheet in graders.select_related("response__task"))
    for check in seniors.select_related("senior", "anchor__task"):
        done += hand_over_checks(user=check.senior, domain_id=check.anchor.task.domain_id)
    return done

"""Sheets and checks of people who are suspended or in conflict go to colleagues."""

from typing import Any

import pytest
from django.utils import timezone

from curation.joining.notices.models import Notice
from curation.joining.people import User
from judge.asking.candidates import families
from judge.asking.candidates.models import Response
from judge.scoring.agreement.meta_actions import take_meta
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.sheets.models import Sheet
from review.conflicts.actions import propose_conflict
from tests.qualifying.qualification.standing import decide, text_of

pytestmark = pytest.mark.django_db


def test_an_anchors_sheet_goes_back_to_the_pool_with_its_lines_on_the_record(
    sign_in: Any,
    staff: User,
    anchor: Any,
    sheet: Sheet,
    scorer: User,
    person: Any,
    finance: Any,
) -> None:
    assert "1 piece of open work was handed over." in text_of(
        decide(sign_in(staff), scorer, finance)
    )
    assert not Sheet.objects.filter(pk=sheet.pk).exists()
    event = anchor.history.get(data__event="handed_back")
    assert event.data["scorer"] == scorer.pk
    take_anchor(actor=person("colleague", finance), anchor=anchor)


def test_a_candidates_sheet_is_assigned_to_a_colleague(
    sign_in: Any,
    staff: User,
    anchor: Any,
    person: Any,
    finance: Any,
) -> None:
    response = Response.objects.create(
        key="rival",
        task=anchor.task,
        candidate=families.candidate_named("zz-rival"),
        text="A memo.",
    )
    asked, colleague = person("asked", finance), person("colleague", finance)
    assign_alignment_sheet(actor=staff, response=response, scorer=asked)
    busy = Sheet.objects.count()
    assert "1 piece of open work was handed over." in text_of(
        decide(sign_in(staff), asked, finance)
    )
    assert Sheet.objects.count() == busy
    assert Sheet.objects.get(response=response).user == colleague


def test_a_check_of_an_anchor_goes_back_to_the_seniors(
    sign_in: Any,
    staff: User,
    anchor: Any,
    check: MetaEvaluation,
    checker: User,
    person: Any,
    finance: Any,
) -> None:
    assert "1 piece of open work was handed over." in text_of(
        decide(sign_in(staff), checker, finance)
    )
    assert not MetaEvaluation.objects.filter(pk=check.pk).exists()
    take_meta(actor=person("other-senior", finance, senior=True), anchor=anchor)


class TestInConflict:
    """A conflict with the task's author becomes known."""

    def test_an_anchors_sheet_goes_back_to_the_pool(
        self, staff: User, anchor: Any, sheet: Sheet, scorer: User, person: Any, finance: Any
    ) -> None:
        propose_conflict(actor=staff, person=scorer, other=anchor.task.author, kind="family")
        assert not Sheet.objects.filter(pk=sheet.pk).exists()
        event = anchor.history.get(data__event="handed_back")
        assert (event.data["scorer"], event.actor) == (scorer.pk, None)
        assert event.reason == "A tie to the author has been found since."
        assert Notice.objects.filter(recipient=scorer, kind="conflict_work_ended").count() == 1
        take_anchor(actor=person("colleague", finance), anchor=anchor)

    def test_a_candidates_sheet_is_assigned_to_a_colleague_and_a_submitted_one_stays(
        self, staff: User, anchor: Any, person: Any, finance: Any
    ) -> None:
        first, second = (
            Response.objects.create(
                key=key,
                task=anchor.task,
                candidate=families.candidate_named(f"zz-{key}"),
                text="A memo.",
            )
            for key in ("first", "second")
        )
        asked, colleague = person("asked", finance), person("colleague", finance)
        for response in (first, second):
            assign_alignment_sheet(actor=staff, response=response, scorer=asked)
        Sheet.objects.filter(response=first).update(state="submitted", submitted_at=timezone.now())
        propose_conflict(actor=staff, person=asked, other=anchor.task.author, kind="family")
        assert Sheet.objects.get(response=first).user == asked
        assert Sheet.objects.get(response=second).user == colleague

    def test_a_check_of_an_anchor_goes_back_to_the_seniors(
        self,
        staff: User,
        anchor: Any,
        check: MetaEvaluation,
        checker: User,
        person: Any,
        finance: Any,
    ) -> None:
        propose_conflict(actor=staff, person=checker, other=anchor.task.author, kind="advisor")
        assert not MetaEvaluation.objects.filter(pk=check.pk).exists()
        take_meta(actor=person("other-senior", finance, senior=True), anchor=anchor)

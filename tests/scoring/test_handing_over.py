"""A suspended scorer's sheets and a suspended senior's checks go to colleagues."""

from typing import Any

import pytest

from curation.people.models import User
from judge.anchors.actions import take_anchor
from judge.anchors.models import MetaEvaluation
from judge.assignments.actions import assign_alignment_sheet
from judge.candidates import families
from judge.candidates.models import Response
from judge.meta_evaluation.actions import take_meta
from judge.sheets.models import Sheet
from tests.qualification.standing import decide, text_of

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

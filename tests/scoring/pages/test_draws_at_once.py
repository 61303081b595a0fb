"""Draws of alignment sets at the same moment: no response is asked about twice."""

from typing import Any

import pytest

from curation.joining.people import User
from judge.results.alignment_sets.actions import draw_alignment_set
from judge.results.alignment_sets.drawing import SampleSpec
from judge.results.alignment_sets.models import AlignmentItem, AlignmentSet
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.sheets.actions import fill_sheet
from judge.scoring.sheets.models import Sheet
from tests.corrections.test_at_once import at_once
from tests.scoring.pages.conftest import verdicts
from tests.scoring.pages.test_alignment_sets import judged, respond
from tests.scoring.pages.test_asked_for_a_flag import flag

pytestmark = pytest.mark.django_db(transaction=True)
TIMES = 3


@pytest.fixture
def ana(approve: Any, person: Any, finance: Any, staff: User) -> User:
    """The scorer of one response of two; two colleagues could score either."""
    scored, _other = respond(approve(title="One"), "ada", "bea")
    ana, _ben, _cleo = (person(name, finance) for name in ("ana", "ben", "cleo"))
    sheet = assign_alignment_sheet(actor=staff, response=scored, scorer=ana)
    fill_sheet(actor=ana, sheet=sheet, verdicts=verdicts(sheet))
    judged(scored)
    flag(scored, staff)
    return ana


def test_one_of_several_draws_holds_the_responses_and_the_others_find_none(
    ana: User, staff: User
) -> None:
    spec = SampleSpec(1, 7, ("finance",), ("bea",))
    codes = at_once(*[lambda: draw_alignment_set(actor=staff, spec=spec)] * TIMES)
    assert codes.count("") == 1
    assert (AlignmentSet.objects.count(), AlignmentItem.objects.count()) == (1, 1)


def test_one_of_several_draws_asks_another_expert_for_a_flag(ana: User, staff: User) -> None:
    spec = SampleSpec(0, 7, ("finance",), ("ada",), flagged=True)
    codes = at_once(*[lambda: draw_alignment_set(actor=staff, spec=spec)] * TIMES)
    assert codes.count("") == 1
    sheet = Sheet.objects.get(flagged_item__isnull=False)
    assert sheet.user != ana

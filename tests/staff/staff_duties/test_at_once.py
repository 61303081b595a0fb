"""Two administrators who give the duty up at the same moment: one of them stays."""

from typing import Any

import pytest

from curation.base.access.duties import columns_of
from curation.base.web.refusals import Conflict
from curation.joining.people import User
from curation.leaving.closed_accounts.actions import close_account
from curation.staff.programme_settings.duties import change_duties, end_staff
from tests.qualifying.qualification.test_exam_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)
STEPS = {
    "ends": lambda one: end_staff(actor=one, person=one, reason="Leaves."),
    "closes": lambda one: close_account(actor=one, person=one),
    "gives up": lambda one: change_duties(actor=one, person=one, duties=[], reason="Leaves."),
}


@pytest.mark.parametrize("first", STEPS)
@pytest.mark.parametrize("second", STEPS)
def test_the_last_two_administrators_cannot_leave_at_once(
    person: Any, first: str, second: str
) -> None:
    both = [
        person(name, is_staff=True, **columns_of(["administration"])) for name in ("ada", "bea")
    ]
    results = at_once(
        lambda: STEPS[first](both[0]),
        lambda: STEPS[second](both[1]),
    )
    refused = [result for result in results if isinstance(result, Conflict)]
    assert len(refused) == 1
    assert refused[0].code in ("last_administrator", "last_staff")
    left = User.objects.filter(is_staff=True, is_active=True, does_administration=True)
    assert left.count() == 1

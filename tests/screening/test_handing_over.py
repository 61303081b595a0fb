"""A suspended member's place on a panel goes to a colleague."""

from typing import Any

import pytest

from curation.panels.models import PanelPlace
from curation.people.models import User
from curation.tasks.models import Task
from tests.qualification.standing import decide, text_of

pytestmark = pytest.mark.django_db


def test_a_place_on_a_panel_goes_to_a_colleague(
    sign_in: Any,
    staff: User,
    peer: User,
    person: Any,
    finance: Any,
    seated: Task,
) -> None:
    colleague = person("colleague", finance)
    assert "1 piece of open work was handed over." in text_of(decide(sign_in(staff), peer, finance))
    places = PanelPlace.objects.filter(task=seated)
    assert places.get(member=peer).state == "skipped"
    assert places.get(state="open").member == colleague

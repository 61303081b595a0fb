"""The place on a panel of a member who is suspended or in conflict goes to a colleague."""

from typing import Any

import pytest

from curation.joining.notices.models import Notice
from curation.joining.people import User
from curation.screening.panels.models import PanelPlace
from curation.tasks.task.models import Task
from review.conflicts.actions import propose_conflict
from tests.qualifying.qualification.standing import decide, text_of

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


def test_a_place_on_the_task_of_somebody_in_conflict_goes_to_a_colleague(
    staff: User,
    author: User,
    peer: User,
    person: Any,
    finance: Any,
    seated: Task,
) -> None:
    colleague = person("colleague", finance)
    propose_conflict(actor=staff, person=peer, other=author, kind="employer")
    places = PanelPlace.objects.filter(task=seated)
    mine = places.get(member=peer)
    assert (mine.state, mine.reason) == ("skipped", "A tie to the author has been found since.")
    assert places.get(state="open").member == colleague
    assert seated.history.filter(data__event="place_skipped", actor=None).count() == 1
    assert Notice.objects.filter(recipient=peer, kind="conflict_work_ended").count() == 1

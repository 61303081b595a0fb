"""The table of a task's events: each page tells what the row says."""

import pytest

from curation.base.process.states import move
from curation.tasks.task.events import EVENTS, NOTES
from curation.tasks.task.history import history_entries
from review.rounds.assignment_models import Review

pytestmark = pytest.mark.django_db


def test_every_note_has_words_and_a_name_and_needs_no_data(task):
    for code in NOTES:
        event = EVENTS.of(task.stage, task.stage, {"event": code})
        assert event is NOTES[code]
        assert event.words_for({}).head
        assert EVENTS.label(code) != code


def test_a_note_for_staff_is_told_to_nobody_else(task, staff):
    task.note("vote_cast", actor=staff)
    task.note("review_resumed", actor=None, reviewer=2)
    heads = [told.head for told in history_entries(task)]
    assert "Reviewer 2 came back." in heads
    assert not any("voted" in head for head in heads)
    assert any("voted" in told.head for told in history_entries(task, everything=True))


def test_a_code_without_a_row_is_told_to_staff_by_its_code_and_hidden_from_others(task):
    task.note("something_new", actor=None)
    assert [t.head for t in history_entries(task, everything=True)][-1] == "Something new"
    assert all(t.head != "Something new" for t in history_entries(task))


def test_a_row_whose_state_does_not_lead_there_stays_as_it_is(task):
    rows = Review.objects.filter(task=task)
    count = rows.count()
    assert count > 0
    assert move(rows, Review.State.EXPIRED) == count
    assert move(rows, Review.State.DECLINED, reason="Late.") == 0
    assert set(rows.values_list("state", "reason")) == {("expired", "")}

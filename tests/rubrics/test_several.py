"""Several lines in one step: changed, moved, removed, split, and one undo for all of them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.versions.models import Criterion, LineChange
from tests.markup import one_line
from tests.rubrics.desk import editor, url
from tests.rubrics.walk import lines_of


def several(browser: Client, task: Task, lines: list[Criterion], **button: Any) -> Any:
    """Choose lines and press a button of the form."""
    chosen = {"lines": [line.pk for line in lines], "current": lines[0].pk if lines else ""}
    return browser.post(url("rubric-lines-several", task), {**chosen, **button})


def undo(browser: Client, task: Task) -> Any:
    change = LineChange.objects.latest("id")
    return browser.post(reverse("rubric-line-restore", args=[task.pk, change.pk]))


def content(task: Task) -> list[tuple[Any, ...]]:
    return [
        (x.key, x.text, x.importance, x.weight, x.dimension, x.provenance, x.source_id)
        for x in lines_of(task)
    ]


@pytest.mark.parametrize(
    ("button", "name", "value"),
    [
        ({"set": "weight:9"}, "weight", 9),
        ({"set": "importance:optional"}, "importance", "optional"),
        ({"set": "dimension", "dimension": "safety"}, "dimension", "safety"),
    ],
)
def test_chosen_lines_get_one_value_in_one_step_with_one_undo(
    browser: Client, task: Task, button: dict[str, str], name: str, value: Any
) -> None:
    before = content(task)
    chosen = lines_of(task)[2:5]
    answer = several(browser, task, chosen, **button)
    assert [getattr(line, name) for line in lines_of(task)[2:5]] == [value] * 3
    assert LineChange.objects.count() == 1
    page = one_line(browser.get(answer["Location"]).content.decode())
    assert "lines edited." in page
    for line in chosen:  # they stay chosen, for the next value
        assert f'value="{line.pk}" aria-label="Choose line' in page
    assert page.count(" checked></li>") == 3
    undo(browser, task)
    assert content(task) == before
    assert undo(browser, task).status_code == 409


def test_chosen_lines_move_together_and_stop_at_the_ends(browser: Client, task: Task) -> None:
    before = [line.key for line in lines_of(task)]
    lines = lines_of(task)
    several(browser, task, [lines[1], lines[4]], by="-1")
    assert [x.key for x in lines_of(task)[:5]] == [before[n] for n in (1, 0, 2, 4, 3)]
    several(browser, task, [lines[1], lines[4]], by="-9")  # the second never passes the first
    assert [x.key for x in lines_of(task)[:3]] == [before[n] for n in (1, 4, 0)]
    undo(browser, task)
    undo_first = LineChange.objects.order_by("id")[0]
    browser.post(reverse("rubric-line-restore", args=[task.pk, undo_first.pk]))
    assert [line.key for line in lines_of(task)] == before
    several(browser, task, lines[-2:], by="1")
    assert [line.key for line in lines_of(task)] == before


def test_chosen_lines_are_removed_and_all_come_back_to_their_places(
    browser: Client, task: Task
) -> None:
    before = content(task)
    lines = lines_of(task)
    several(browser, task, [lines[0], lines[7], lines[14]], remove="1")
    assert len(lines_of(task)) == 12
    assert LineChange.objects.latest("id").description == "3 lines removed"
    undo(browser, task)
    assert content(task) == before


@pytest.mark.parametrize(
    ("button", "sentence"),
    [
        ({"set": "weight:11"}, "Weights run from 1 to 10."),
        ({"set": "importance:huge"}, "Choose essential, important or optional."),
        ({"set": "dimension", "dimension": "taste"}, "Choose one of the 16 dimensions."),
        ({"set": "text:Mine"}, "Say what the chosen lines should have."),
        ({}, "Say what the chosen lines should have."),
    ],
)
def test_a_wrong_value_changes_no_line_and_the_choice_is_kept(
    browser: Client, task: Task, button: dict[str, str], sentence: str
) -> None:
    before = content(task)
    page = several(browser, task, lines_of(task)[:2], **button)
    assert page.status_code == 400
    html = one_line(page.content.decode())
    assert sentence in html
    assert html.count(" checked></li>") == 2
    assert content(task) == before


def test_without_a_choice_it_says_how_to_choose(browser: Client, task: Task) -> None:
    page = several(browser, task, [], set="weight:9")
    assert page.status_code == 400
    assert "Choose the lines first" in page.content.decode()


def test_a_line_that_is_gone_or_another_tasks_refuses_the_whole_step(
    browser: Client, task: Task, refining: Callable[..., Task], sign_in: Any, stranger: User
) -> None:
    lines, foreign = lines_of(task), lines_of(refining(title="Another one"))[0]
    browser.post(url("rubric-line-remove", task, lines[1]))
    before = content(task)
    for other in (lines[1], foreign):
        assert several(browser, task, [lines[0], other], set="weight:1").status_code == 409
    assert several(sign_in(stranger), task, [lines[0]], remove="1").status_code == 404
    assert content(task) == before
    foreign.refresh_from_db()
    assert foreign.weight != 1


def test_what_they_have_already_is_no_step(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    answer = several(browser, task, [line], set=f"weight:{line.weight}")
    assert "like that already" in browser.get(answer["Location"]).content.decode()
    assert not LineChange.objects.exists()


def test_an_undo_of_several_is_refused_whole_if_one_of_them_changed_since(
    browser: Client, task: Task
) -> None:
    chosen = lines_of(task)[:3]
    several(browser, task, chosen, set="weight:9")
    step = LineChange.objects.latest("id")
    line = lines_of(task)[1]
    browser.post(url("rubric-line", task, line), editor(line, text="Other words."))
    before = content(task)
    answer = browser.post(reverse("rubric-line-restore", args=[task.pk, step.pk]))
    assert answer.status_code == 409
    assert content(task) == before


def test_a_line_of_several_rows_becomes_a_line_a_row_in_one_step(
    browser: Client, task: Task
) -> None:
    before = content(task)
    line = lines_of(task)[2]
    text = "Names the first breach.\n\nNames the second breach.\r\nNames the date."
    browser.post(url("rubric-line-split", task, line), editor(line, text=text))
    made = lines_of(task)[2:5]
    assert [x.text for x in made] == [
        "Names the first breach.",
        "Names the second breach.",
        "Names the date.",
    ]
    assert made[0].key == line.key
    assert {x.weight for x in made} == {line.weight}
    assert {x.quote for x in made} == {line.quote}  # they rest on the same passage
    assert len({x.key for x in lines_of(task)}) == 17
    undo(browser, task)
    browser.post(
        reverse("rubric-line-restore", args=[task.pk, LineChange.objects.order_by("id")[0].pk])
    )
    assert content(task) == before


def test_forty_lines_change_together_in_few_queries(
    refining: Callable[..., Task], browser: Client, django_assert_max_num_queries: Any
) -> None:
    task = refining(lines=40)
    lines = lines_of(task)
    with django_assert_max_num_queries(33):
        several(browser, task, lines, set="weight:9")
    with django_assert_max_num_queries(33):
        several(browser, task, lines, remove="1")
    with django_assert_max_num_queries(33):
        undo(browser, task)
    assert len(lines_of(task)) == 40

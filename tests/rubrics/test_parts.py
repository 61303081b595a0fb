"""A step is answered with what it changed, for the page's own script; with the page without one."""

import re
from typing import Any

import pytest
from django.test import Client

from curation.tasks.task.models import Task
from rubrics.versions.actions import open_version_of
from rubrics.workbench import queries
from tests.markup import one_line
from tests.rubrics.desk import editor, url
from tests.rubrics.walk import lines_of

SCRIPT = {"HTTP_X_PARTS": "1", "HTTP_ACCEPT": "application/json, text/html"}


def shown(page: str) -> dict[str, str]:
    """Line id -> what a browser says of it, read off the page as the script does."""
    page = one_line(page)
    talks = dict(re.findall(r'data-pk="(\d+)" data-talk="(\w+)"', page))
    looks = dict(re.findall(r'id="line-(\d+)-view"[^>]* data-looks="(\w+)"', page))
    return {pk: f"{pk}:{looks[pk]}:{talk}" for pk, talk in talks.items()}


def lines_in(answer: Any) -> list[str]:
    page = one_line(answer.content.decode())
    return re.findall(r'<li class="line [^>]*data-pk="(\d+)"', page)


def order_in(answer: Any) -> list[int]:
    found = re.search(r'data-order="([\d.]*)"', answer.content.decode())
    assert found is not None
    return [int(pk) for pk in found[1].split(".") if pk]


def step(browser: Client, address: str, seen: dict[str, str], **sent: Any) -> Any:
    return browser.post(address, {"shown": ",".join(seen.values()), **sent}, **SCRIPT)


def test_a_step_brings_the_lines_that_look_different_and_the_order_of_all(
    browser: Client, task: Task
) -> None:
    page = browser.get(url("rubric", task)).content.decode()
    seen = shown(page)
    lines = lines_of(task)
    assert list(seen) == [str(line.pk) for line in lines]

    moved = step(browser, url("rubric-line-move", task, lines[3]), seen, by="1")
    assert moved.status_code == 200
    assert lines_in(moved) == [str(lines[3].pk)]  # it counts as read now; the others only moved
    assert order_in(moved) == [line.pk for line in lines_of(task)]
    assert moved["X-Page"].endswith(f"?line={lines[3].pk}")

    seen = shown(browser.get(url("rubric", task)).content.decode())
    text = "Names the colour of the seal and names the day of the vote."
    split = step(
        browser, url("rubric-line-split", task, lines[0]), seen, **editor(lines[0], text=text)
    )
    first, second = lines_of(task)[:2]
    assert set(lines_in(split)) == {str(first.pk), str(second.pk)}
    assert order_in(split)[:2] == [first.pk, second.pk]
    parts = set(re.findall(r'id="([a-z-]+)"', split.content.decode()))
    assert {"step", "notes", "refusal", "lines-head", "balance", "send", "undo"} <= parts
    assert "Split in two." in split.content.decode()
    assert "<html" not in split.content.decode()
    assert len(split.content) < len(page.encode()) / 3


def test_a_line_that_another_tab_changed_comes_along(browser: Client, task: Task) -> None:
    seen = shown(browser.get(url("rubric", task)).content.decode())
    other, mine, *_rest = lines_of(task)
    browser.post(url("rubric-line", task, other), editor(other, text="Names the other tab."))
    answer = step(browser, url("rubric-line-move", task, mine), seen, by="1")
    assert str(other.pk) in lines_in(answer)
    assert "Names the other tab." in answer.content.decode()


def test_a_question_before_sending_is_a_part_and_a_sent_rubric_says_where_to_go(
    browser: Client, task: Task
) -> None:
    seen = shown(browser.get(url("rubric", task)).content.decode())
    asked = step(browser, url("rubric-send", task), seen)
    assert asked.status_code == 400
    assert 'id="refusal"' in asked.content.decode()
    assert "data-error-summary" in asked.content.decode()
    sent = step(browser, url("rubric-send", task), seen, as_drafted="1")
    assert (sent.status_code, sent["X-Go"]) == (204, url("rubric", task))
    assert "Sent." in browser.get(sent["X-Go"]).content.decode()


def test_what_was_typed_and_refused_comes_back_in_the_whole_page(
    browser: Client, task: Task
) -> None:
    seen = shown(browser.get(url("rubric", task)).content.decode())
    line = lines_of(task)[0]
    typed = editor(line, text=" ")
    answer = step(browser, url("rubric-line-move", task, line), seen, by="1", **typed)
    assert answer.status_code == 400
    assert "<html" in answer.content.decode()
    assert "X-Page" not in answer


@pytest.mark.parametrize("change", [{"weight": "9"}, {"dimension": "novelty"}, {"text": "Other."}])
def test_every_change_of_a_line_changes_how_it_looks(
    browser: Client, task: Task, change: dict[str, str]
) -> None:
    def sights() -> list[str]:
        return [
            view.content_digest for view in queries.workbench(task, open_version_of(task)).views
        ]

    before = sights()
    line = lines_of(task)[4]
    browser.post(url("rubric-line", task, line), editor(line, **change))
    assert [
        n for n, pair in enumerate(zip(before, sights(), strict=True)) if len(set(pair)) > 1
    ] == [4]

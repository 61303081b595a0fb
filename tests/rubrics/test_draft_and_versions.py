"""The draft beside the author's lines, and the versions of a rubric."""

from typing import Any

from django.test import Client

from curation.joining.people import User
from curation.tasks.task.models import Task
from tests.rubrics.desk import editor, url
from tests.rubrics.walk import lines_of


def test_the_draft_stands_beside_mine_and_never_changes(browser: Client, task: Task) -> None:
    first, second, *_rest = lines_of(task)
    browser.post(url("rubric-line", task, first), editor(first, text="States net debt at closing."))
    browser.post(url("rubric-line-remove", task, second))
    browser.post(url("rubric-line-add", task), {"text": "A line of my own."})
    page = browser.get(url("rubric-draft", task)).content.decode()
    for words in ("13 kept", "1 edited", "1 added", "1 removed", "Bring back", "Model D"):
        assert words in page
    draft = task.rubric_versions.get(origin="draft")
    assert draft.content_sha256() == draft.sha256
    only = browser.get(url("rubric-draft", task) + "?show=changes").content.decode()
    assert "figure 9" not in only


def test_a_line_is_brought_back_once_with_its_reason_kept(browser: Client, task: Task) -> None:
    second = lines_of(task)[1]
    browser.post(url("rubric-line-remove", task, second))
    browser.post(url("rubric-draft", task), {"key": second.key, "reason": "Background only."})
    assert "Background only." in browser.get(url("rubric-draft", task)).content.decode()
    for _twice in range(2):
        browser.post(url("rubric-draft", task), {"bring_back": second.source_id})
    assert [line.key for line in lines_of(task)].count(second.key) == 1
    assert lines_of(task)[1].key == second.key


def test_a_reason_for_a_line_that_never_was_is_refused(browser: Client, task: Task) -> None:
    assert browser.post(url("rubric-draft", task), {"key": "zz", "reason": "x"}).status_code == 404
    long = {"key": "c1", "reason": "x" * 501}
    assert browser.post(url("rubric-draft", task), long).status_code == 400


def test_versions_list_number_origin_and_hash_and_mark_the_words_that_differ(
    browser: Client, task: Task, staff: User, sign_in: Any
) -> None:
    line = lines_of(task)[0]
    browser.post(
        url("rubric-line", task, line),
        editor(line, text=line.text.replace("101", "one hundred and nine")),
    )
    page = browser.get(url("rubric-versions", task)).content.decode()
    draft = task.rubric_versions.get(origin="draft")
    assert draft.sha256[:12] in page
    assert "<del>" in page
    assert "one hundred and nine" in page
    assert "From version 1 to version 2" in page
    for query in ("?a=1&b=2", "?a=2&b=1", "?a=x&b=-3", "?a=99&b=98"):
        assert browser.get(url("rubric-versions", task) + query).status_code == 200
    # the open version is the author's alone
    assert (
        "hundred and nine" not in sign_in(staff).get(url("rubric-versions", task)).content.decode()
    )


def test_any_two_versions_are_compared_with_their_order_their_kin_and_their_weights(
    browser: Client, task: Task
) -> None:
    first, second, third, *_rest = lines_of(task)
    text = "Gives the rise of the net debt, and names the margin of the covenant."
    browser.post(url("rubric-line", task, first), editor(first, text=text, weight=2))
    browser.post(url("rubric-line-split", task, first), {"at": text.index("names")})
    browser.post(url("rubric-line-merge", task, second))
    browser.post(url("rubric-line-move", task, lines_of(task)[-1]), {"by": "-5"})
    assert third.key not in {line.key for line in lines_of(task)}
    page = browser.get(url("rubric-versions", task) + "?a=1&b=2").content.decode()
    for words in ("split from line 1", "merged into line 3", "moved, was line 15", "weight 5 → 2"):
        assert words in page
    assert page.count('class="sr">added') >= 1
    assert page.count('class="sr">removed') >= 1
    assert "figure 7" not in page  # kept as it was
    every = browser.get(url("rubric-versions", task) + "?a=1&b=2&show=all").content.decode()
    assert "figure 7" in every
    back = browser.get(url("rubric-versions", task) + "?a=2&b=1").content.decode()
    assert "split from" not in back
    assert "weight 2 → 5" in back


def test_forty_lines_are_compared_in_few_queries(
    browser: Client, refining: Any, django_assert_max_num_queries: Any
) -> None:
    task = refining(lines=40)
    with django_assert_max_num_queries(16):
        page = browser.get(url("rubric-versions", task) + "?a=1&b=2&show=all").content
    assert len(page) < 150_000

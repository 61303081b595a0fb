"""How much of the drafts is left: the distance, the counts, and the page for staff."""

import csv
import io
from typing import Any

import pytest
from django.test import override_settings
from django.urls import reverse

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.suggesting.drafts.retention_queries import ModelRow, Retention, retention_report
from rubrics.drafts.actions import record_further_draft
from rubrics.versions.diff import percent_changed, words
from tests.conftest import browser_of, new_domain, new_person
from tests.rubrics.desk import editor, send, url
from tests.rubrics.walk import drafted_lines, lines_of, to_refining
from tests.worlds import World


@pytest.mark.parametrize(
    ("old", "new", "percent"),
    [
        ("States the rate.", "States the rate.", 0),
        ("States the rate.", "States  the rate .", 0),  # white space is no word
        ("States the rate.", "Names the rate.", 25),
        ("a b c", "d e f g", 100),
        ("", "a b", 100),
        ("净债务上升", "净债务下降", 40),
        ("word " * 300, "word " * 299 + "other", 1),  # never 0 for what differs
        (" ".join(map(str, range(200))), "0", 99),  # never 100 where a word is left
    ],
)
def test_how_much_was_changed_is_a_share_of_the_longer_text(
    old: str, new: str, percent: int
) -> None:
    assert percent_changed(old, new) == percent_changed(new, old) == percent


def test_words_are_words_and_chinese_is_read_by_character() -> None:
    assert words("EUR 1,340.5 净债,") == ["EUR", "1,340.5", "净", "债", ","]


def test_what_survives_counts_edited_lines_by_the_words_left() -> None:
    retention = Retention(drafted=4, kept=1, changes=[50, 0])
    assert (retention.edited, retention.dropped, retention.surviving) == (2, 1, (1 + 0.5 + 1) / 4)
    assert Retention().surviving is None
    assert Retention().mean_change is None
    few = ModelRow("m", tasks=2, retention=Retention(drafted=90, kept=90))
    assert (few.has_enough, few.kept, few.surviving) == (False, None, None)


@pytest.fixture(scope="module")
def sent_world(world_database: None) -> World:
    """Two rubrics that were sent: one line dropped, one edited, one added in the first."""
    finance = new_domain("finance")
    author, screener = new_person("author", finance), new_person("screener", finance)
    browser = browser_of(author)
    tasks = [to_refining(author, screener, finance, title=t, lines=16) for t in ("First", "Second")]
    first, second, third, *_rest = lines_of(tasks[0])
    browser.post(url("rubric-line", tasks[0], first), editor(first, text=f"{first.text} Exactly."))
    browser.post(url("rubric-line", tasks[0], second), editor(second, weight=1))
    browser.post(url("rubric-line-remove", tasks[0], third))
    browser.post(url("rubric-line-add", tasks[0]), {"text": "=A line of my own."})
    new = drafted_lines(18)[16:]
    record_further_draft(task=tasks[0], lines=new, drafted_by="Model E")
    browser.post(url("rubric-draft", tasks[0]), {"draft": "3", "take": "all"})
    with override_settings(RUBRIC_MIN_CRITERIA=1):
        for task in tasks:
            assert send(browser, task).status_code == 302
    to_refining(author, screener, finance, title="Not sent")
    return World(finance=finance, author=author, screener=screener, one=tasks[0], two=tasks[1])


@pytest.fixture
def sent(sent_world: World, settings: Any) -> list[Task]:
    settings.RUBRIC_MIN_CRITERIA = 1
    return [sent_world["one"], sent_world["two"]]


def test_staff_see_what_was_kept_edited_dropped_and_added_per_task_and_model(
    sign_in: Any, staff: User, sent: list[Task], law: Domain, django_assert_max_num_queries: Any
) -> None:
    report = retention_report()
    row = next(row for row in report.tasks if row.title == "First")
    retention = row.retention
    assert (
        retention.drafted,
        retention.kept,
        retention.edited,
        retention.dropped,
        retention.added,
    ) == (16, 13, 2, 1, 1)
    assert sorted(retention.changes)[0] == 0  # a changed weight changes no word
    assert 0 < sorted(retention.changes)[1] < 30
    drafted, later = report.models
    assert (drafted.model, drafted.tasks, drafted.retention.drafted) == ("Model D", 2, 32)
    assert (later.model, later.written, later.offered, later.taken) == ("Model E", 1, 2, 2)
    assert report.waiting == 1
    browser = sign_in(staff)
    with django_assert_max_num_queries(16):  # with session, person and navigation
        page = browser.get(reverse("staff-drafts")).content.decode()
    assert "Too few to tell: 2 rubrics with 32 drafted lines" in page
    assert "too few to tell" in page
    file = b"".join(browser.get(reverse("staff-drafts-csv")).streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(file.removeprefix("\ufeff"))))
    assert {"title": "First", "kept": "13", "dropped": "1", "added": "1"}.items() <= next(
        row for row in rows if row["title"] == "First"
    ).items()
    elsewhere = browser.get(reverse("staff-drafts") + "?domain=law").content.decode()
    assert "No draft yet" in elsewhere
    for unknown in ("x", "%00"):  # PostgreSQL takes no NUL, not even to compare
        assert browser.get(reverse("staff-drafts") + f"?domain={unknown}").status_code == 404


def test_percentages_come_with_enough_rubrics(
    sent: list[Task], sign_in: Any, staff: User, monkeypatch: Any
) -> None:
    monkeypatch.setattr("judge.suggesting.drafts.retention_queries.ENOUGH_TASKS", 2)
    page = sign_in(staff).get(reverse("staff-drafts")).content.decode()
    assert "Of 32 drafted lines in 2 rubrics that were sent, experts kept 91" in page


def test_seven_queries_however_many_rubrics(
    sent: list[Task], django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(7):
        assert len(retention_report().tasks) == 2

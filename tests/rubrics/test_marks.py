"""Marks set aside with "I know, because …", asked again, shown to the reviewer, counted."""

import re
from typing import Any

import pytest
from django.urls import reverse

from curation.tasks.task.models import Task
from review.rounds.assignment_actions import assign
from review.rounds.assignment_models import Review
from rubrics.lines.actions import edit_line
from rubrics.linter import rules
from rubrics.marks.models import SentMarks, Waiver
from rubrics.marks.queries import rubric_marks
from rubrics.sending.actions import send_to_review
from rubrics.versions.models import Criterion
from tests.markup import words_of
from tests.rubrics.desk import editor, url
from tests.rubrics.walk import lines_of

pytestmark = pytest.mark.django_db

VAGUE = "Handles the covenant appropriately."
WHY = "The annex lists what is appropriate."


@pytest.fixture
def vague(task: Any, author: Any) -> Criterion:
    """The first line, with one mark."""
    line = lines_of(task)[0]
    return edit_line(actor=author, task=task, criterion=line, text=VAGUE)


def shown(task: Any, line: Criterion) -> Any:
    lines = lines_of(task)
    at = [other.pk for other in lines].index(line.pk)
    return rubric_marks(task, lines).lines[at][0]


def set_aside(browser: Any, task: Any, line: Criterion, why: str = WHY, **more: Any) -> Any:
    token = shown(task, line).token
    fields = {**editor(line), "mark": token, f"because-{token}": why, **more}
    return browser.post(url("rubric-line-mark", task, line), fields)


def test_marked_words_are_shown_as_they_were_written(
    browser: Any, task: Any, vague: Criterion
) -> None:
    text = "Gives a good, clear and adequate overview."
    Criterion.objects.filter(pk=vague.pk).update(text=text)
    page = browser.get(url("rubric", task)).content.decode()
    assert '<span class="lint">' in page
    views = re.findall(r'class="line-open"[^>]*>(.*?)</a>', page, re.DOTALL)
    assert text in [words_of(view) for view in views]


def test_a_mark_is_set_aside_with_a_reason_and_asked_again(
    browser: Any, task: Any, vague: Criterion
) -> None:
    before = browser.get(url("rubric", task)).content.decode()
    assert "Keep it, because …" in before
    assert set_aside(browser, task, vague).status_code == 302
    set_aside(browser, task, vague)  # the button pressed twice
    assert Waiver.objects.get().reason == WHY
    page = browser.get(url("rubric", task) + f"?line={vague.pk}").content.decode()
    assert f"You set this aside: “<bdi>{WHY}</bdi>”" in page
    assert '<span class="lint">' not in page
    mark = shown(task, vague)
    browser.post(url("rubric-line-mark", task, vague), {"unmark": mark.token})
    browser.post(url("rubric-line-mark", task, vague), {"unmark": mark.token})
    assert [w.reason for w in Waiver.objects.all()] == [WHY, ""]
    assert shown(task, vague).state == "open"


def test_a_reason_holds_while_the_words_stay_and_is_asked_again_when_they_change(
    browser: Any, task: Any, vague: Criterion, author: Any
) -> None:
    set_aside(browser, task, vague)
    edit_line(actor=author, task=task, criterion=vague, weight=7)
    assert shown(task, vague).state == "aside"
    edit_line(actor=author, task=task, criterion=vague, text="Treats the waiver appropriately.")
    assert (shown(task, vague).state, shown(task, vague).reason) == ("again", WHY)
    page = browser.get(url("rubric", task) + f"?line={vague.pk}").content.decode()
    assert "You set this aside for the earlier wording" in page
    edit_line(actor=author, task=task, criterion=vague, text=VAGUE)
    assert shown(task, vague).state == "aside"


def test_a_mark_without_a_reason_stays_and_what_was_typed_stays_too(
    browser: Any, task: Any, vague: Criterion
) -> None:
    for why, said in (("  ", "Say in a few words"), ("x" * 501, "the limit is 500")):
        refused = set_aside(browser, task, vague, why, weight="9")
        assert refused.status_code == 400
        assert said in refused.content.decode()
    assert "x" * 501 in refused.content.decode()
    vague.refresh_from_db()
    assert vague.weight == 9
    assert not Waiver.objects.exists()


def test_a_mark_that_is_gone_cannot_be_set_aside(browser: Any, task: Any, vague: Criterion) -> None:
    gone = set_aside(browser, task, vague, text="States net debt as EUR 134.4 million.")
    assert gone.status_code == 409
    assert "no longer there" in gone.content.decode()
    other = browser.post(url("rubric-mark", task), {"mark": "x", "because-x": WHY})
    assert other.status_code == 409


def test_a_requirement_without_a_line_is_named_and_can_be_set_aside(
    browser: Any, task: Any
) -> None:
    marks = rubric_marks(task, lines_of(task)).whole
    assert [mark.code for mark in marks] == ["uncovered_requirement"]
    page = browser.get(url("rubric", task)).content.decode()
    assert "No line checks “Write a memo of two pages with a recommendation”" in page
    token = marks[0].token
    browser.post(url("rubric-mark", task), {"mark": token, f"because-{token}": WHY})
    assert rubric_marks(task, lines_of(task)).whole[0].state == "aside"
    browser.post(url("rubric-mark", task), {"unmark": token})
    assert rubric_marks(task, lines_of(task)).whole[0].state == "open"


def test_the_reviewer_reads_the_reason_and_staff_how_often_a_rule_is_overruled(
    browser: Any,
    task: Any,
    vague: Criterion,
    author: Any,
    person: Any,
    finance: Any,
    sign_in: Any,
    staff: Any,
) -> None:
    reviewer = person("reviewer", finance)
    set_aside(browser, task, vague)
    send_to_review(actor=author, task=task)
    counted = {row.code: (row.standing, row.set_aside) for row in SentMarks.objects.all()}
    assert counted["vague_words"] == (0, 1)
    assert counted["uncovered_requirement"] == (1, 0)
    task.refresh_from_db()
    review = Review.objects.filter(task=task).first() or assign(
        task=task, reviewer=reviewer, actor=staff
    )
    page = sign_in(reviewer).get(reverse("review", args=[review.pk])).content.decode()
    assert f"The author keeps it, because: “<bdi>{WHY}</bdi>”" in page
    assert author.display_name not in page
    table = sign_in(staff).get(reverse("staff-marks")).content.decode()
    assert WHY in table
    assert "100\xa0%" in table or "100&nbsp;%" in table


def test_a_page_costs_the_same_with_many_reasons(
    browser: Any, task: Any, vague: Criterion, django_assert_max_num_queries: Any
) -> None:
    for n in range(6):
        set_aside(browser, task, vague, f"{WHY} {n}")
    browser.get(url("rubric", task))  # the marks of the lines as they are now
    with django_assert_max_num_queries(24):
        browser.get(url("rubric", task))


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("reference_answer", "0,1," * 25_000, "The reference answer is longer than 40,000"),
        ("requirements", "Name it. " * 5_000, "The task is longer than 40,000"),
        (
            "reference_answer",
            " ".join(map(str, range(2_000))),
            "The reference answer has more than 1,000 different figures",
        ),
    ],
)
def test_what_is_too_long_for_the_linter_is_named_and_the_lines_are_still_checked(
    browser: Any, task: Any, vague: Criterion, field: str, text: str, said: str
) -> None:
    Task.objects.filter(pk=task.pk).update(**{field: text})
    page = browser.get(url("rubric", task)).content.decode()
    assert f"Not checked, too long. {said}" in page
    assert "Keep it, because …" in page  # the mark of the line alone


def test_the_lines_beyond_what_is_read_of_a_rubric_are_named_and_get_no_mark(
    browser: Any, task: Any, vague: Criterion, monkeypatch: Any
) -> None:
    monkeypatch.setattr(rules, "TOGETHER", len(VAGUE))
    page = browser.get(url("rubric", task)).content.decode()
    said = "The lines together are longer than 35 characters: no line from line 2 on was checked."
    assert f"Not checked, too long. {said}" in page
    assert "Keep it, because …" in page  # the mark of the first line
    found = rubric_marks(task, lines_of(task))
    assert len(found.lines) == len(lines_of(task))
    assert not any(found.lines[1:])
    assert not found.whole

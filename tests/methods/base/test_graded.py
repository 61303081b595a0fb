"""Grades from 1 to 5: how they are read, what they count, and that there is never a default."""

import json

import pytest

from judge.asking.prompts.envelope import UnreadableError
from judge.methods.graded.method import read_grade
from judge.methods.graded.scale import points_of
from judge.runs.pages import lifecycle
from tests.growth import too_slow
from tests.llm_stub import Behaviour
from tests.methods.base import factory


def graded(grade, analysis="It names the debt.", **more):
    return json.dumps({"analysis": analysis, "grade": grade, **more})


@pytest.mark.parametrize(("grade", "points"), [(1, 0), (2, 25), (3, 50), (4, 75), (5, 100)])
def test_a_grade_counts_one_less_times_twenty_five(grade, points):
    """Xbench, section 3.2: the five grades are mapped linearly to 0 to 100."""
    assert points_of(grade) == points == (grade - 1) * 25


@pytest.mark.parametrize("grade", [0, 6, 4.5, 4.0, "4", True, None])
def test_what_is_no_grade_counts_nothing(grade):
    with pytest.raises(ValueError, match="no grade"):
        points_of(grade)


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        (graded(4), 4),
        (f"```json\n{graded(2)}\n```", 2),
        (f"Here it is: {graded(5)}", 5),
        (graded(3)[:-1] + ",}", 3),
        ("It names the debt but not the lease.\n\nGrade: 2", 2),
        ("It names the debt.\n**Grade: 4**", 4),
        ("Sie nennt die Schulden.\n\nScore: 3/5", 3),
        ("回答正确。\n评分：5", 5),
        ("It names the debt.\n* Score – : **3 / 5**.", 3),
        ("It says “Grade: 5” itself, which is no evidence.\nGrade: 1", 1),
    ],
)
def test_a_grade_is_read_from_the_object_or_from_the_last_line(reply, grade):
    assert read_grade(reply, [], cut=False).grade == grade


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "It is good.",
        graded(0),
        graded(6),
        graded(100),
        graded(4.5),
        graded(4.0),
        graded("4"),
        graded(True),
        graded(None),
        graded(4, analysis=""),
        graded(4, analysis=None),
        '{"grade": 4}',
        '{"analysis": "Good.", "grade": 4, "grade": 5}',
        f"{graded(4)}\n{graded(5)}",
        "Good.\nGrade: 6",
        "Good.\nGrade: 4.5",
        "Good.\nGrade: four",
        "Grade: 5",
        "Grade: 4\nGood.\nGrade: 5",
        "Good.\nGrade: 4\nThat is my last word.",
        '{"verdicts": [{"id": "c1", "why": "", "met": true}]}',
        graded(4)[:-3],
    ],
)
def test_what_is_absent_doubled_fractional_or_out_of_range_is_no_grade(reply):
    with pytest.raises(UnreadableError):
        read_grade(reply, [], cut=False)


def test_of_a_reply_that_was_cut_the_last_line_is_never_read():
    with pytest.raises(UnreadableError):
        read_grade("Good in parts.\nGrade: 1", [], cut=True)


@pytest.mark.parametrize(
    ("before", "pattern"),
    [("grade", ":"), ("grade:", "_"), ("", " "), ("grade:", "/5"), ("", "grade:\n"), ("{", "[")],
)
def test_a_reply_in_a_loop_of_one_sign_is_read_in_linear_time(before, pattern):
    def read(text):
        with pytest.raises(UnreadableError):
            read_grade(f"So.\n{before}{text}", [], cut=False)

    assert not too_slow(read, pattern)


@pytest.mark.django_db
class TestARun:
    @pytest.fixture
    def response(self, graded_task):
        return factory.respond(graded_task, "The equity value is 100.")

    def test_bad_grades_are_asked_again_and_the_good_one_counts(self, stub, judge, response):
        stub.script(Behaviour("ok", text=graded(9)), Behaviour("ok", text=graded(4.5)))
        stub.script(Behaviour("ok", text=graded(4)))
        _run, result = judge(method="graded")
        assert (result["judged"], result["calls"]) == (1, 3)
        found = factory.judgment(response)
        assert (found.score_numerator, found.score_denominator) == (3, 4)
        assert (found.lines_decided, found.lines_total, found.state) == (1, 1, "complete")
        assert factory.finding(response, "grade").data["grade"] == 4

    def test_three_bad_grades_fail_with_a_reason_and_give_no_score(self, stub, judge, response):
        stub.script(*[Behaviour("ok", text=graded(6))] * 3)
        run, result = judge(method="graded")
        assert (result["failed"], result["reasons"]) == (1, {"unreadable": 1})
        found = factory.judgment(response)
        assert (found.state, found.score_numerator) == ("incomplete", None)
        failed = factory.finding(response, "grade")
        assert (failed.data, failed.reason) == (None, "unreadable")
        details = run.calls.values_list("detail", flat=True)
        assert set(details) == {"The grade is no whole number from 1 to 5."}

    def test_a_continued_run_asks_the_failed_grade_once_more(self, stub, judge, response):
        stub.script(*[Behaviour("ok", text="No.")] * 3)
        run, _result = judge(method="graded")
        lifecycle.continue_run(actor=None, run=run)
        _run, result = judge(run)
        assert (result["judged"], result["failed"], result["calls"]) == (1, 0, 4)
        assert factory.finding(response, "grade").reason == ""

    def test_a_task_without_a_rubric_is_graded_by_its_reference(self, stub, judge):
        task = factory.factory.external_task(lines=0)
        response = factory.respond(task, "The equity value is 100.")
        _run, result = judge(method="graded")
        assert result["judged"] == 1
        assert factory.judgment(response).version is None
        asked = stub.requests[-1].body["messages"][0]["content"]
        assert "The equity value is 100." in str(asked)

    def test_a_task_that_says_nothing_of_what_is_right_is_skipped(self, stub, judge):
        task = factory.factory.external_task(lines=0)
        task.reference_answer = " "
        task.save()
        factory.respond(task, "Something.")
        _run, result = judge(method="graded")
        assert (result["judged"], result["reasons"]) == (0, {"nothing_to_compare": 1})
        assert stub.calls == 0

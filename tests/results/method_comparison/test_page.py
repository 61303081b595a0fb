"""The page that puts methods beside the experts says what the command prints."""

import pytest

from judge.scoring.graded_sheets.models import GradedSheet
from tests.markup import words_of
from tests.results.method_comparison.test_command import grade_it
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db
PAGE = "/staff/methods/compare/"


@pytest.fixture
def graded_runs(stub, judge):
    """Two runs of twelve responses, each graded by three experts."""
    for n in range(4):
        task = factory.external_task(lines=2)
        for who in range(3):
            response = factory.respond(task, f"system-{who}", f"System {who} on {n}.")
            for rater in range(3):
                grade_it(response, f"expert-{rater}", 1 + (n + who + rater // 2) % 5)
    return [judge(method=method)[0] for method in ("graded", "zero_shot")]


def address(*runs, page=PAGE):
    return page + "?" + "&".join(f"runs={run}" for run in runs)


def test_two_methods_stand_side_by_side_with_figures_and_a_picture(graded_runs, staff, sign_in):
    graded, lines = (run.pk for run in graded_runs)
    answer = sign_in(staff).get(address(graded, lines))
    words = words_of(answer.content.decode())
    assert "12 responses count" in words
    assert "Graded" in words
    assert "Calibration" in words
    assert answer.content.decode().count("<svg") >= 2
    found = sign_in(staff).get(address(graded, lines, page="/staff/methods/compare.json")).json()
    assert [row["run"] for row in found["methods"]] == [graded, lines]
    assert found["common"] == 12


def test_before_a_choice_the_page_offers_the_runs(graded_runs, staff, sign_in):
    words = words_of(sign_in(staff).get(PAGE).content.decode())
    assert "Choose runs of several methods" in words
    assert str(graded_runs[0]) in words


def test_without_a_grade_the_page_says_why_it_knows_nothing(graded_runs, staff, sign_in):
    GradedSheet.objects.all().delete()
    answer = sign_in(staff).get(address(graded_runs[0].pk))
    assert "No expert has graded a whole response of these runs yet." in words_of(
        answer.content.decode()
    )


@pytest.mark.parametrize("wrong", ["99999", "x"])
def test_a_run_that_is_not_offered_is_refused(graded_runs, staff, sign_in, wrong):
    answer = sign_in(staff).get(address(wrong))
    assert answer.status_code == 400
    assert "Choose among the runs below." in words_of(answer.content.decode())
    asked = sign_in(staff).get(address(wrong, page="/staff/methods/compare.json"))
    assert asked.status_code == 400

"""Grades of experts and judges in the alignment report, checked against known libraries."""

import itertools
import json
import random
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from judge.results.alignment.report import report
from judge.scoring.graded_sheets.actions import assign_graded_sheet, submit_graded_sheet
from judge.scoring.graded_sheets.models import GradedSheet
from tests.scoring.graded_sheets.conftest import answer, imported_task

pytestmark = pytest.mark.django_db

MODELS = ("Alder", "Birch", "Cedar")
RATERS = ("first", "second", "third")


def lines_of(path, rows):
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def graded(graded_world, tmp_path):
    """Three experts graded 30 responses to ten tasks; a judge from outside graded them too."""
    draw = random.Random(8)
    given = {rater: [] for rater in (*RATERS, "judge")}
    rows = []
    for n in range(10):
        task = imported_task(graded_world["puzzles"], f"t-{n}")
        for model in MODELS:
            response = answer(task, model)
            true = draw.randint(1, 5)
            for rater in RATERS:
                grade = min(5, max(1, true + draw.choice((-1, 0, 0, 1))))
                given[rater].append(grade)
                sheet = assign_graded_sheet(response=response, scorer=graded_world[rater])
                submit_graded_sheet(
                    actor=graded_world[rater], graded_sheet=sheet, grade=grade, analysis="Read."
                )
            grade = min(5, max(1, true + draw.choice((-1, 0, 0, 1, 1))))
            given["judge"].append(grade)
            rows.append(
                {
                    "task": task.key,
                    "response": response.key,
                    "rater": "outside-judge",
                    "kind": "judge",
                    "grade": grade,
                    "analysis": "Mostly right.",
                }
            )
    call_command("import_scores", lines_of(tmp_path / "scores.jsonl", rows), stdout=StringIO())
    return given


def test_the_report_has_weighted_kappa_with_intervals_as_libraries_compute_it(graded):
    found = report("outside-judge", bootstrap=2000)

    experts = [grade for rater in RATERS for grade in graded[rater]]
    judge = graded["judge"] * len(RATERS)
    labels = [1, 2, 3, 4, 5]
    table = [[0] * 5 for _ in labels]
    for a, b in zip(experts, judge, strict=True):
        table[a - 1][b - 1] += 1
    grades = found["grades"]
    assert (grades["pairs"], grades["missing"], grades["tasks"]) == (90, 0, 10)
    assert grades["kappa"] == pytest.approx(
        cohen_kappa_score(experts, judge, labels=labels, weights="quadratic")
    )
    assert grades["kappa"] == pytest.approx(cohens_kappa(table, wt="quadratic").kappa)
    low, high = grades["ci95"]["kappa"]
    assert low < grades["kappa"] < high
    assert grades["bias"] == pytest.approx(sum(judge) / 90 - sum(experts) / 90)


def test_the_experts_own_agreement_is_the_ceiling(graded):
    ceiling = report("outside-judge", bootstrap=500)["expert_agreement"]["grades"]

    first, second = [], []
    for one, other in itertools.permutations(RATERS, 2):
        first += graded[one]
        second += graded[other]
    assert ceiling["pairs"] == 180
    assert ceiling["kappa"] == pytest.approx(
        cohen_kappa_score(first, second, labels=[1, 2, 3, 4, 5], weights="quadratic")
    )


def test_grades_take_part_in_preferences_and_scores_like_other_sheets(graded):
    found = report("outside-judge", bootstrap=0)

    assert found["raters"] == sorted(found["raters"])
    assert len(found["raters"]) == 3
    assert found["preference"]["tasks"] == 10
    assert found["score"]["responses"] == 30
    assert found["score"]["mean_bias"] == pytest.approx(25 * found["grades"]["bias"])
    assert found["criterion"]["cells"] == 0


def test_one_expert_can_be_named(graded, graded_world):
    name = f"expert-{graded_world['second'].pk}"
    found = report("outside-judge", experts=name, bootstrap=0)

    assert found["raters"] == [name]
    assert found["grades"]["kappa"] == pytest.approx(
        cohen_kappa_score(
            graded["second"], graded["judge"], labels=[1, 2, 3, 4, 5], weights="quadratic"
        )
    )
    assert found["expert_agreement"]["grades"]["kappa"] is None


def test_the_page_and_the_csv_show_the_grades(graded, staff, sign_in):
    office = sign_in(staff)

    page = office.get("/staff/alignment/", {"judge": "outside-judge"}).content.decode()
    table = office.get("/staff/alignment.csv", {"judge": "outside-judge"}).getvalue().decode()

    assert "Weighted κ, quadratic" in page
    assert "Experts among themselves, weighted κ" in page
    assert "outside-judge,grades,,kappa," in table
    assert "outside-judge,expert_grades,,kappa," in table


def test_the_same_grades_imported_twice_change_nothing_and_others_are_refused(
    graded_world, tmp_path
):
    response = graded_world["response"]
    row = {
        "task": response.task.key,
        "response": response.key,
        "rater": "outside",
        "kind": "expert",
        "grade": 3,
        "analysis": "Half.",
    }
    path = lines_of(tmp_path / "one.jsonl", [row])
    for _ in range(2):
        call_command("import_scores", path, stdout=StringIO())
    assert GradedSheet.objects.get().grade == 3

    other = lines_of(tmp_path / "other.jsonl", [row | {"grade": 4}])
    with pytest.raises(CommandError, match=r"other\.jsonl:1: grade"):
        call_command("import_scores", other, stdout=StringIO())
    assert GradedSheet.objects.get().grade == 3


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"grade": 0}, "grade"),
        ({"grade": 2.5}, "grade"),
        ({"grade": True}, "grade"),
        ({"score": 0.5}, "grade"),
        ({"rationales": {"a": "b"}}, "rationales"),
    ],
)
def test_a_line_that_is_no_grade_is_refused_with_its_field(graded_world, tmp_path, change, field):
    response = graded_world["response"]
    row = {
        "task": response.task.key, "response": response.key, "rater": "outside",
        "kind": "judge", "grade": 3, **change,
    }  # fmt: skip

    with pytest.raises(CommandError, match=rf"bad\.jsonl:1: {field}"):
        call_command("import_scores", lines_of(tmp_path / "bad.jsonl", [row]), stdout=StringIO())
    assert not GradedSheet.objects.exists()

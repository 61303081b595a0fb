"""Tasks with an exact answer go out as JSON lines and come in again, also through a release."""

import json
from decimal import Decimal

import pytest

from curation.base.records.faults import FileRefused
from curation.tasks.file_views.model_files import model_files  # noqa: F401  the app's files are loaded
from curation.tasks.task.exact_models import ExactAnswer
from curation.tasks.task.models import Task
from judge.gold.transfer.exporting import task_lines
from judge.gold.transfer.tasks import Tasks
from rubrics.versions.models import Criterion

pytestmark = pytest.mark.django_db
EXACT = {
    "answer": "4.5",
    "kind": "number",
    "tolerance": "0.1",
    "unit": "年",
    "level": 2,
    "cutoff": "2024-12-31",
    "why_unique": "It is defined.",
    "why_stable": "It is history.",
    "steps": [
        {"text": "Look it up.", "source": "https://a.example.org/1", "source_date": "2020-01-02"},
        {"text": "Add it up."},
    ],
}
LINE = {
    "id": "carrier-years",
    "domain": "finance",
    "language": "en",
    "requirements": "How many years did they serve on average?",
    "answer_form": "exact",
    "exact": EXACT,
}


@pytest.fixture
def write(tmp_path):
    def to(*lines):
        path = tmp_path / "tasks.jsonl"
        text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
        path.write_text(text, encoding="utf-8")
        return path

    return to


def test_an_own_task_comes_in_with_its_answer_and_steps_and_goes_out_the_same(write, author):
    assert Tasks(external=False, author=author).run(write(LINE)).added == 1
    task = Task.objects.get()
    assert (task.answer_form, task.stage) == ("exact", "draft")
    assert task.reference_answer == "4.5 年 ± 0.1"
    assert task.exact_answer.tolerance == Decimal("0.1")
    assert task.exact_answer.steps.count() == 2
    assert not Criterion.objects.exists()
    out = json.loads(next(task_lines(Task.objects.all())))
    assert out["exact"] == EXACT
    assert out["answer_form"] == "exact"
    again = Tasks(external=False, author=author).run(write({**LINE}))
    assert (again.added, again.unchanged) == (0, 1)
    Task.objects.all()  # what was exported is taken as it is
    with pytest.raises(FileRefused, match="differs"):
        Tasks(external=False, author=author).run(write({**LINE, "exact": {**EXACT, "answer": "5"}}))


def test_a_task_of_another_benchmark_gets_the_one_line_where_it_has_no_rubric(write):
    short = {"answer": "Hamburger hands", "alternatives": ["La La Hand"]}
    line = {**LINE, "domain": "films", "exact": short}
    assert Tasks(external=True).run(write(line)).added == 1
    task = Task.objects.get()
    assert task.external
    assert Criterion.objects.get().text == "The final answer is: Hamburger hands / La La Hand"
    assert task.exact_answer.alternatives == ["La La Hand"]
    out = json.loads(next(task_lines(Task.objects.all())))
    assert out["exact"] == {**short, "kind": "words"}
    assert Tasks(external=True).run(write(line)).unchanged == 1
    # The export of it comes in elsewhere, and gives the same export.
    out["id"] = "elsewhere"
    assert Tasks(external=True).run(write(out)).added == 1
    elsewhere = Task.objects.filter(key="elsewhere")
    assert json.loads(next(task_lines(elsewhere))) == out


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"answer_form": "essay"}, "answer_form: This must be one of"),
        ({"answer_form": "text"}, "exact: Only a task of the form"),
        ({"exact": None}, "exact: A task of the form “exact” needs its answer"),
        ({"exact": {**EXACT, "tolerance": "much"}}, "exact.tolerance: This must be a number"),
        ({"exact": {**EXACT, "kind": "words"}}, "exact.tolerance: Only a number"),
        ({"exact": {**EXACT, "kind": "song"}}, "exact.kind: Choose"),
        ({"exact": {**EXACT, "answer": "many"}}, "exact.answer: “many” is not one number"),
        ({"exact": {**EXACT, "cutoff": "31.12.2024"}}, "exact.cutoff: Write a day"),
        ({"exact": {**EXACT, "level": 7}}, "exact.level: Choose the level"),
        ({"exact": {**EXACT, "steps": []}}, "exact.steps: A solution has at least 2"),
        ({"exact": {**EXACT, "surprise": 1}}, "exact.surprise: There is no such field"),
        ({"exact": "12"}, "exact: "),
        ({"reference_answer": "About five."}, "reference_answer: It is made from"),
        (
            {
                "rubric": [
                    {
                        "id": "c1", "text": "Names it.", "importance": "essential", "weight": 5,
                        "dimension": "accuracy",
                    }
                ]
            },
            "rubric: The rubric of an exact answer",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_by_line_and_field_and_nothing_is_stored(
    write, author, changes, said
):
    with pytest.raises(FileRefused) as refused:
        Tasks(external=False, author=author).run(write({**LINE, **changes}))
    assert said in str(refused.value)
    assert not Task.objects.exists()
    assert not ExactAnswer.objects.exists()

"""Form and demand of a task go out as JSON lines and come in again unchanged."""

import json

import pytest

from curation.base.process.lifecycle import Stage
from curation.base.records.faults import FileRefused
from curation.tasks.task.demands import demand_of
from curation.tasks.task.models import Task
from judge.gold.transfer.exporting import task_lines
from judge.gold.transfer.tasks import Tasks
from judge.methods.list_match.facts import ListDemand
from judge.methods.profiles.models import Selection
from tests.methods.base import factory
from tests.rubrics.walk import PARTS
from tests.tasks.business.test_importing import LINE as FROM_BUSINESS

pytestmark = pytest.mark.django_db
TEXTS = {n: PARTS[n] for n in ("scenario", "materials", "requirements", "reference_answer")}
LINE = {"id": "one", "domain": "finance", "language": "en", "title": "One", **TEXTS}
LIST = {**LINE, "answer_form": "list", "demand": {"number": 10, "what": "companies"}}
SELECTION = {
    **LINE,
    "answer_form": "selection",
    "demand": {"pool": "creators", "number": 3, "what": "creators"},
}


def question(n, text):
    return {"id": f"q{n}", "text": text, "importance": "essential", "weight": 5,
            "dimension": "accuracy"}  # fmt: skip


@pytest.fixture
def write(tmp_path):
    def to(*lines):
        path = tmp_path / "tasks.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        return path

    return to


def exported():
    return [json.loads(line) for line in task_lines(Task.objects.all())]


@pytest.mark.parametrize("line", [LIST, SELECTION, {**LINE, "answer_form": "profile"}])
class TestBothWays:
    def test_an_own_task_comes_in_as_a_draft_and_goes_out_the_same(self, line, write, author):
        factory.pool()
        assert Tasks(external=False, author=author).run(write(line)).added == 1
        assert exported() == [line]
        assert Tasks(external=False, author=author).run(write(line)).unchanged == 1

    def test_a_task_of_another_benchmark_goes_out_the_same(self, line, write):
        factory.pool()
        line = {**line, "domain": "elsewhere"}
        assert Tasks(external=True).run(write(line)).added == 1
        assert Task.objects.get().stage == Stage.APPROVED
        assert exported() == [line]
        assert Tasks(external=True).run(write(*exported())).unchanged == 1

    def test_a_task_from_business_keeps_its_form(self, line, write, staff, finance):
        factory.pool()
        own = {n: v for n, v in line.items() if n in ("answer_form", "demand")}
        Tasks(external=False, author=staff, collected=True).run(write({**FROM_BUSINESS, **own}))
        task = Task.objects.get()
        assert (task.answer_form, demand_of(task)) == (own["answer_form"], own.get("demand"))


def test_a_task_from_business_can_have_an_exact_answer(write, staff, finance):
    line = {n: v for n, v in FROM_BUSINESS.items() if n != "reference_answer"}
    exact = {
        "answer": "4.5", "kind": "number", "level": 1, "cutoff": "2024-12-31",
        "why_unique": "It is defined.", "why_stable": "It is history.",
        "steps": [
            {"text": "Look.", "source": "https://a.example.org/", "source_date": "2020-01-02"},
            {"text": "Add."},
        ],
    }  # fmt: skip
    line |= {"answer_form": "exact", "exact": exact, "change": "static"}
    Tasks(external=False, author=staff, collected=True).run(write(line))
    task = Task.objects.get()
    assert (task.answer_form, task.exact_answer.answer) == ("exact", "4.5")
    assert task.reference_answer == "4.5"


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"answer_form": "poem"}, "answer_form: This must be one of: text, exact, list, profile"),
        ({"answer_form": "text"}, "demand.number: The answer to this task has nothing of the kind"),
        ({"demand": {"number": 10}}, "demand.what: Say of what"),
        ({"demand": {"number": 0, "what": "x"}}, "demand.number: Give a whole number"),
        ({"demand": {"number": "10", "what": "x"}}, "demand.number"),
        ({"demand": {"number": 10, "what": "x", "pool": "creators"}}, "demand.pool"),
        (
            {"answer_form": "selection", "demand": {"pool": "none", "number": 1, "what": "x"}},
            "demand.pool: There is no pool with this key. Import its profiles first.",
        ),
        ({"exact": {"answer": "1"}}, "exact: Only a task of the form"),
    ],
)
def test_every_mistake_is_named_with_its_field_and_nothing_is_stored(changes, fault, write, author):
    with pytest.raises(FileRefused) as refusal:
        Tasks(external=False, author=author).run(write({**LIST, **changes}))
    assert any(fault in str(problem) for problem in refusal.value.problems)
    assert not Task.objects.exists()
    assert not ListDemand.objects.exists()


def test_a_changed_demand_is_named_as_a_difference(write, author):
    Tasks(external=False, author=author).run(write(LIST))
    changed = {**LIST, "demand": {"number": 11, "what": "companies"}}
    with pytest.raises(FileRefused) as refusal:
        Tasks(external=False, author=author).run(write(changed))
    assert any("demand: It differs" in str(problem) for problem in refusal.value.problems)
    assert ListDemand.objects.get().number == 10


def test_few_questions_are_enough_but_each_has_its_right_answer(write, author):
    line = {**LINE, "answer_form": "profile"}
    good = {**line, "rubric": [question(1, "Where did she study?|Zürich")]}
    bad = {**line, "rubric": [question(1, "Where did she study?")]}
    with pytest.raises(FileRefused) as refusal:
        Tasks(external=False, author=author).run(write(bad))
    assert any("rubric[1].text: A question needs" in str(p) for p in refusal.value.problems)
    assert Tasks(external=False, author=author).run(write(good)).added == 1


def test_a_selection_with_its_pool_is_stored_for_conditions_to_be_judged(write):
    factory.pool()
    Tasks(external=True).run(write({**SELECTION, "domain": "elsewhere"}))
    selection = Selection.objects.get()
    assert (selection.number, selection.set_by) == (3, None)

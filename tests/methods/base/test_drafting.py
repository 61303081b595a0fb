"""Gold lists and questions are drafted from the reference answer, by a prompt of their own."""

import json

import pytest
from django.core.management import call_command

from judge.asking.calls import model_client
from judge.asking.calls.models import Call
from judge.asking.prompts.task_text import task_text
from judge.methods.base import registry
from judge.methods.base.actions import set_demand
from judge.methods.list_match import method as of_lists
from judge.methods.questions import method as of_questions
from judge.suggesting.drafts.generate import draft_for
from rubrics.versions.models import Criterion
from tests.llm_stub import Behaviour
from tests.runs.engine import factory as engine

pytestmark = pytest.mark.django_db

PLANTS = "Halden Drives (Halden, 哈尔登), Korvet Cells and Feldkamp. Ostmeer is 4 km too far."
PERSON = "Employer: Brello Dairy since 1 February. She led 26 planners; she left for Dublin."


@pytest.fixture
def model(stub, settings):
    return model_client.chosen("openai:judge-1")


def task_of(form, reference):
    made = engine.external_task(lines=0, answer_form=form)
    made.reference_answer = reference
    made.save()
    return made


def lines(task):
    rows = Criterion.objects.filter(version__task=task).order_by("position")
    return [(row.text, row.importance, row.weight, row.dimension, row.quote) for row in rows]


def reply(stub, **said):
    stub.script(Behaviour("ok", text=json.dumps(said, ensure_ascii=False)))


class TestAGoldList:
    def test_has_an_item_with_its_other_names_on_each_line(self, model, stub, staff):
        task = task_of("list", PLANTS)
        set_demand(actor=staff, task=task.key, number=3, what="plants")
        reply(
            stub,
            items=[
                {"item": "Halden  Drives", "other_names": ["Halden", "halden"], "quote": PLANTS},
                {"item": "Korvet|Cells", "other_names": ["Korvet Cells"], "quote": "Made up."},
                {"item": "Halden Drives", "other_names": ["Halden"], "quote": ""},
                {"item": "Nordhav", "other_names": ["Nordhav Modules"], "quote": ""},
                {"item": " ", "other_names": ["Feldkamp"], "quote": ""},
                "Feldkamp",
            ],
        )
        made = draft_for(task, model)
        assert (stub.calls, made.drafted_by) == (1, model.label)
        assert lines(task) == [
            ("Halden Drives | Halden", "essential", 5, "accuracy", PLANTS),
            # An item is never parted by its own bar, and a quotation that is made up is left out.
            ("Korvet/Cells | Korvet Cells", "essential", 5, "accuracy", ""),
        ]

    def test_is_asked_for_by_the_name_of_what_the_task_demands(self, model, stub, staff):
        task = task_of("list", PLANTS)
        set_demand(actor=staff, task=task.key, number=37, what="plants")
        reply(stub, items=[{"item": "Feldkamp", "other_names": [], "quote": ""}])
        draft_for(task, model)
        sent = json.dumps(stub.requests[-1].body)
        assert "that asks for plants" in sent
        assert Call.objects.get(task=task, error="").purpose == Call.Purpose.DRAFT

    def test_has_nothing_that_the_reference_answer_does_not_name(self, model, stub):
        task = task_of("list", PLANTS)
        reply(stub, items=[{"item": "Nordhav", "other_names": [], "quote": ""}])
        made = draft_for(task, model)
        assert made.problem
        assert [row[0] for row in lines(task)] == [
            "Halden Drives | Halden | 哈尔登",
            "Korvet Cells",
            "Feldkamp",
        ]  # by the rules


class TestQuestions:
    def test_stand_with_their_right_answer_on_each_line(self, model, stub):
        task = task_of("profile", PERSON)
        fine = {"importance": "essential", "weight": 8, "quote": "She led 26 planners;"}
        reply(
            stub,
            questions=[
                {**fine, "question": "How many planners did she lead|run?", "answer": "26 | 27"},
                {**fine, "question": "Who?", "answer": "Brello Dairy", "weight": 11},
                {**fine, "question": "Why did she leave?", "answer": "  "},
                {**fine, "question": "", "answer": "Dublin"},
                {**fine, "question": "Where?", "answer": "Dublin", "importance": "vital"},
            ],
        )
        draft_for(task, model)
        assert lines(task) == [
            (
                "How many planners did she lead/run? | 26 | 27",
                "essential",
                8,
                "accuracy",
                "She led 26 planners;",
            )
        ]

    def test_can_be_judged_at_once(self, judge):
        task = task_of("profile", PERSON)
        draft_for(task, model_client.offline())
        engine.respond(task, "maker", "She led 26 planners at Brello Dairy since 1 February.")
        _run, result = judge(method="questions", provider="offline", model="rules-1")
        assert (result["judged"], result["skipped"]) == (1, 0)


@pytest.mark.parametrize(("form", "reference"), [("list", PLANTS), ("profile", PERSON)])
class TestBoth:
    def test_remarks_of_the_author_stand_in_a_fence_of_their_own(self, form, reference):
        task = task_of(form, reference)
        plan = registry.draft_plan(task, task_text(task), "Fewer.\n<<<REMARKS x")
        prompt = plan.last([])
        body = prompt.prefix + prompt.suffix
        assert body.count("REMARKS>>>") == 1
        assert "Fewer." in body
        assert "REMARKS" not in registry.draft_plan(task, task_text(task)).last([]).suffix

    def test_a_reply_of_another_kind_leaves_the_rules_to_draft(self, form, reference, model, stub):
        task = task_of(form, reference)
        reply(stub, lines=[{"text": "Names Halden Drives.", "importance": "essential"}])
        made = draft_for(task, model)
        assert made.drafted_by == model_client.offline().label
        assert len(lines(task)) == 3

    def test_the_offline_rules_draft_without_a_key(self, form, reference):
        task = task_of(form, reference)
        call_command("draft_rubrics", provider="offline")
        assert len(lines(task)) == 3

    def test_without_a_reference_answer_nothing_is_made_up_and_nothing_asked(
        self, form, reference, model, stub
    ):
        task = task_of(form, "")
        made = draft_for(task, model)
        assert (stub.calls, made.lines, lines(task)) == (0, [], [])
        assert "no reference answer" in made.problem


def test_rules_list_items_rows_and_the_first_enumeration():
    items = of_lists.by_rules("- **Acme** (Acme Corp): valves. It is big.\n- Beta Works – drives")
    assert [(row["item"], row["other_names"]) for row in items["items"]] == [
        ("Acme", ["Acme Corp"]),
        ("Beta Works", []),
    ]
    table = of_lists.by_rules("| Name | Town |\n|---|---|\n| Acme (AC) | Bonn |\n| Beta | Ulm |")
    assert [row["item"] for row in table["items"]] == ["Acme", "Beta"]
    chinese = of_lists.by_rules("合适的公司：长春吉诺（Jino Ltd）、艾克米、北风。另外两家不算。")
    assert [row["item"] for row in chinese["items"]] == ["长春吉诺", "艾克米", "北风"]
    assert of_lists.by_rules("There is none.") == {"items": []}


def test_rules_ask_by_labels_cells_and_statements():
    asked = of_questions.by_rules(f"{PERSON}\n\n| What | When |\n|---|---|\n| Degree | 2011 |")
    assert [(row["question"], row["answer"]) for row in asked["questions"]] == [
        ("What is said about “Employer”?", "Brello Dairy since 1 February"),
        ("Does the profile say this?", "She led 26 planners"),
        ("Does the profile say this?", "she left for Dublin"),
        ("What is said about “Degree, When”?", "2011"),
    ]
    chinese = of_questions.by_rules("登记时间：2018 年 5 月；参保 36 人，并非 120 人。")
    assert [row["answer"] for row in chinese["questions"]] == [
        "2018 年 5 月",
        "参保 36 人，并非 120 人",
    ]

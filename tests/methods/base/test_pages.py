"""Pages of methods: the settings staff change, and what a method shows of a response and a run."""

import html
import json

import pytest
from django.urls import reverse

from curation.joining.domains.models import Category
from judge.methods.graded.scale import GradeScale
from judge.methods.list_match.facts import BandTable, ListDemand
from judge.runs.engine.models import Finding, JudgeRun
from tests.llm_stub import Behaviour
from tests.markup import one_line
from tests.methods.base import factory

pytestmark = pytest.mark.django_db

BANDS = {
    "at_2": "20", "at_3": "50", "at_4": "80", "at_5": "100",
    "over_4": "5", "over_3": "", "over_2": "", "reason": "Profiles are long.", "read": "0",
}  # fmt: skip
WORDS = {f"grade_{n}": f"Grade {n} in our words." for n in range(1, 6)}


@pytest.fixture
def browser(sign_in, staff):
    return sign_in(staff)


def seen(browser, name, *args, **query):
    answer = browser.get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return one_line(html.unescape(answer.content.decode()))


class TestSettings:
    def test_the_page_says_what_fits_the_bands_and_the_holes_of_the_source(
        self, browser, django_assert_max_num_queries
    ):
        factory.task_of("list")
        with django_assert_max_num_queries(30):
            page = seen(browser, "staff-methods")
        for words in (
            "List match",
            "A list, compared with a gold list",
            "from 85 %",
            "any counted entry",
        ):
            assert words in page
        assert "It leaves open what lies between two of them" in page
        assert "what a response names early weighs more" in page
        assert "as many as the gold list has" in page
        assert "(x − 1) · 25" in page

    def test_bands_are_changed_with_a_reason_and_kept(self, browser, stub, judge):
        task = factory.task_of("list")
        response = factory.respond(task, "- Acme\n- Gamma\n- Omega")
        judge(method="list_match")
        answer = browser.post(reverse("staff-method-bands"), BANDS)
        assert answer.status_code == 302
        page = seen(browser, "staff-methods")
        assert "20 / 50 / 80 / 100 %" in page
        assert "Profiles are long." in page
        _run, result = judge(method="list_match")
        assert (result["reused"], result["calls"]) == (0, 1)
        grades = Finding.objects.filter(judgment__response=response).order_by("pk")
        assert [(f.data["grade"], f.data["table"]) for f in grades] == [(2, 0), (3, 1)]

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"reason": " "}, "reason"),
            ({"at_3": "10"}, "needs a higher coverage"),
            ({"at_2": "0"}, "whole numbers from 1 to 100"),
            ({"at_5": "101"}, "Type a number of at most 100"),
            ({"over_4": "20", "over_3": "10"}, "rising"),
        ],
    )
    def test_bands_that_make_no_sense_are_refused_and_nothing_is_lost(
        self, browser, change, sentence
    ):
        answer = browser.post(reverse("staff-method-bands"), BANDS | change)
        assert answer.status_code == 400
        assert sentence in one_line(html.unescape(answer.content.decode()))
        assert b"Profiles are long." in answer.content or "reason" in change
        assert not BandTable.objects.exists()

    def test_two_tables_at_once_are_one_and_a_refusal(self, browser):
        browser.post(reverse("staff-method-bands"), BANDS)
        answer = browser.post(reverse("staff-method-bands"), BANDS | {"at_2": "30"})
        assert answer.status_code == 409
        assert BandTable.objects.count() == 1

    def test_a_scale_of_a_category_is_what_the_judge_reads(self, browser, stub, judge):
        task, other = factory.task_of("text"), factory.task_of("text")
        category = Category.objects.create(domain=task.domain, key="deals", name="Deals")
        task.category = category
        task.save()
        answer = browser.post(
            reverse("staff-method-scale"),
            {**WORDS, "category": category.pk, "reason": "Deals differ.", "read": "0"},
        )
        assert answer.status_code == 302
        for one in (task, other):
            factory.respond(one, f"The value of {one.key} is 100.")
        judge(method="graded")
        asked = [str(request.body) for request in stub.requests]
        assert sum("5: Grade 5 in our words." in body for body in asked) == 1
        assert sum("5: Complete and right" in body for body in asked) == 1
        assert "Deals differ." in seen(browser, "staff-methods")

    def test_five_empty_sentences_go_back_to_the_built_in_ones(self, browser):
        browser.post(reverse("staff-method-scale"), {**WORDS, "reason": "Ours.", "read": "0"})
        assert "Grade 5 in our words." in seen(browser, "staff-methods")
        browser.post(reverse("staff-method-scale"), {"reason": "Back.", "read": "1"})
        page = seen(browser, "staff-methods")
        assert "Complete and right" in page
        assert "back to the next wider scale" in page
        assert GradeScale.objects.count() == 2

    def test_a_scale_with_a_gap_is_refused(self, browser):
        answer = browser.post(
            reverse("staff-method-scale"), {**WORDS, "grade_3": "", "reason": "Why.", "read": "0"}
        )
        assert answer.status_code == 400
        assert b"Describe this grade too" in answer.content
        assert b"Grade 5 in our words." in answer.content

    def test_a_demand_is_set_and_changed(self, browser):
        task = factory.task_of("list")
        form = {"task": task.key, "number": "10", "what": "companies"}
        assert browser.post(reverse("staff-method-demand"), form).status_code == 302
        browser.post(reverse("staff-method-demand"), form | {"number": "5"})
        assert ListDemand.objects.get(task=task).number == 5
        assert "5 companies" in seen(browser, "staff-methods")

    @pytest.mark.parametrize(
        ("form", "sentence"),
        [
            ({"task": "nowhere", "number": "3", "what": "people"}, "no task with this key"),
            ({"number": "3", "what": "people"}, "is no list"),
            ({"number": "0", "what": "people"}, "Type a number of at least 1"),
            ({"number": "3", "what": ""}, "error"),
        ],
    )
    def test_a_demand_that_cannot_be_is_refused(self, browser, form, sentence):
        task = factory.task_of("text")
        answer = browser.post(reverse("staff-method-demand"), {"task": task.key, **form})
        assert answer.status_code == 400
        assert sentence in html.unescape(answer.content.decode())
        assert not ListDemand.objects.exists()


class TestAResponse:
    def shown(self, browser, judge, method, form, text):
        response = factory.respond(factory.task_of(form), text)
        run, _result = judge(method=method)
        return seen(browser, "verdict", response.pk, judge=str(run.pk))

    def test_a_grade_stands_with_its_analysis(self, browser, stub, judge):
        stub.script(Behaviour("ok", text='{"analysis": "It names the <debt>.", "grade": 4}'))
        page = self.shown(browser, judge, "graded", "text", "The value is 100.")
        assert "Grade 4 of 5: 75 points of 100" in page
        assert "It names the <debt>." in page

    def test_a_list_stands_with_what_each_entry_is(self, browser, stub, judge):
        text = "- Acme\n- Beta Works\n- Made-up Ltd\n- Gamma\n- Delta"
        page = self.shown(browser, judge, "list_match", "list", text)
        assert "3 of 4 gold items are covered (75.0 %), which gives grade 2." in page
        assert "Invented: Made-up Ltd." in page
        assert "1 entry after the first 4 does not count: Delta" in page
        assert "25 points of 100" in page

    def test_an_exact_answer_stands_with_its_confidence(self, browser, stub, judge):
        page = self.shown(
            browser, judge, "exact", "exact", "Heavy.\nAnswer: 1234.5 kg (Confidence: 80%)"
        )
        assert "It is certainly the right answer; no model was asked." in page
        assert "80 %" in page

    def test_an_empty_response_stands_as_a_wrong_answer(self, browser, stub, judge):
        page = self.shown(browser, judge, "exact", "exact", " ")
        assert "which counts as a wrong answer" in page

    def test_a_question_stands_with_its_quotation(self, browser, stub, judge):
        page = self.shown(browser, judge, "questions", "profile", "She leads since 2019.")
        assert "Where did she study?|Zürich" in page

    def test_the_list_of_responses_shows_the_score_that_no_lines_give(self, browser, stub, judge):
        factory.respond(factory.task_of("list"), "- Acme\n- Beta Works\n- Gamma")
        run, _result = judge(method="list_match")
        assert "25.0" in seen(browser, "verdicts", judge=str(run.pk))

    def test_a_failed_finding_says_why(self, browser, stub, judge):
        stub.script(*[Behaviour("ok", text="No.")] * 3)
        page = self.shown(browser, judge, "graded", "text", "The value is 100.")
        assert "Reply could not be read" in page

    def test_the_page_of_a_call_names_the_parts_of_the_prompt(self, browser, stub, judge):
        response = factory.respond(factory.task_of("list"), "- Acme")
        run, _result = judge(method="list_match")
        page = seen(browser, "staff-call", run.calls.get().pk)
        assert "Gold list" in page
        assert response.task.title in page


class TestARun:
    def test_responses_without_an_answer_count_as_wrong_and_are_named(self, browser, stub, judge):
        for text in (" ", "I don't know.", "Answer: 1234.5 kg"):
            factory.respond(factory.task_of("exact"), text, "silent")
        run, _result = judge(method="exact")
        page = seen(browser, "staff-run", run.pk)
        assert 'data-label="No answer">2</td>' in page
        assert "33.3 %" in page
        board = json.loads(browser.get(reverse("leaderboard-json"), {"run": run.pk}).content)
        row = board["extras"]["exact_answers"][0]
        assert (row["answers"], row["no_answer"]) == (3, 2)
        assert row["accuracy"] == pytest.approx(1 / 3)

    def test_accuracy_and_calibration_stand_on_the_page_and_in_the_leaderboard(
        self, browser, stub, judge
    ):
        for n in range(4):
            task = factory.task_of("exact")
            factory.respond(task, f"{n}\nAnswer: 1234.5 kg (Confidence: 80%)", "sure")
            factory.respond(task, f"{n}\nAnswer: 1234.5 kg", "silent")
        run, _result = judge(method="exact")
        page = seen(browser, "staff-run", run.pk)
        assert "Accuracy and calibration" in page
        assert "4 of 4" in page
        assert "20.0 %" in page
        assert "none stated" in page
        board = json.loads(browser.get(reverse("leaderboard-json"), {"run": run.pk}).content)
        rows = {row["candidate"]: row for row in board["extras"]["exact_answers"]}
        assert rows["sure"]["calibration_error"] == pytest.approx(0.2)
        assert rows["sure"]["brier"] == pytest.approx(0.04)
        assert rows["silent"]["calibration_error"] is None
        assert rows["silent"]["why"]

    def test_the_form_plans_a_run_by_a_method_that_fits(self, browser, stub):
        factory.respond(factory.task_of("list"), "- Acme")
        page = seen(browser, "staff-run-new")
        assert "List match: coverage of a gold list" in page
        assert "Exact answer: right or wrong" not in page
        form = {
            "method": "list_match", "provider": "openai", "model": "judge-1",
            "calls_mode": "per_response", "concurrency": "4", "task_set": "open",
        }  # fmt: skip
        answer = browser.post(reverse("staff-run-new"), form)
        assert answer.status_code == 302, answer.content.decode()
        run = JudgeRun.objects.get()
        shown = seen(browser, "staff-run", run.pk)
        assert "neither the demanded number nor the bands" in shown
        assert "twin" not in shown
        refused = browser.post(reverse("staff-run-new"), form | {"method": "exact"})
        assert refused.status_code == 400

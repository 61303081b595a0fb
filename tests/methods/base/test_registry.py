"""The registry: who knows methods by name, what fits a task, and what every method has."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from curation.base.web.refusals import BadInput, Conflict
from judge.asking.prompts import builder
from judge.asking.prompts.task_text import task_text
from judge.methods.base import registry
from judge.methods.list_match.facts import ListDemand
from judge.runs.engine.models import Finding, JudgeRun, Judgment
from judge.runs.pages import lifecycle
from judge.runs.pages.actions import plan_by_other_method
from judge.runs.pages.estimate import estimate_of
from judge.runs.pages.forms import offered_methods
from tests.methods.base import factory
from tests.runs.engine import factory as engine_factory
from tests.runs.engine.factory import benchmark

FORMS = {
    "graded": "text",
    "list_match": "list",
    "questions": "profile",
    "exact": "exact",
    "conditions": "selection",
}
TEXTS = {
    "graded": "The enterprise value is 120 and net debt is 20.",
    "list_match": "Results\n- Acme Corp: an old rival\n- Gamma\n- Omega",
    "questions": "She studied in Zürich and built the search index at Acme. She leads since 2019.",
    "exact": "It is heavy.\nSo the weight is 1,234.5 kg",
    "conditions": 'Results\n["Ann", "Nobody"]',
}
# Nobody here may know a method by its name: a new one is a package and a row of the registry.
NAMELESS = (
    *("runs", "management", "jobs", "asking/calls", "asking/prices", "gold/releases"),
    *("gold/transfer", "results/alignment", "results/alignment_pages", "results/flags"),
    *("results/leaderboard", "results/task_analysis", "results/verdicts"),
)


def test_engine_budgets_alignment_leaderboard_and_exports_name_no_method():
    keys = "|".join(map(re.escape, registry.METHODS))
    # "exact" is also a field of a task in files, and a figure.
    quoted = "|".join(re.escape(key) for key in registry.METHODS if key != "exact")
    named = re.compile(
        rf"[\"'](?:{quoted})[\"']|method\S* [=!]= [\"'](?:{keys})[\"']"
        rf"|judge\.methods\.(?:{keys}|checklist)\b"
    )
    found = [
        f"{path}:{number}: {line.strip()}"
        for folder in NAMELESS
        for path in sorted((Path(settings.BASE_DIR) / "judge" / folder).rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if named.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("key", registry.METHODS)
def test_a_method_has_words_forms_and_a_key_that_can_be_stored(key):
    method = registry.get(key)
    assert method.key == key
    assert len(key) <= JudgeRun._meta.get_field("method").max_length
    assert method.forms
    assert all(map(str, (method.label, method.short, method.choice, method.sees)))
    assert not method.counterpart or registry.get(method.counterpart).counterpart == key
    assert set(method.faults) <= set(registry.faults())
    assert set(method.skips) <= set(registry.skips())


def test_an_unknown_key_is_refused_and_an_old_one_is_shown():
    with pytest.raises(ValidationError, match="no method “guess”"):
        registry.validate_key("guess")
    assert registry.label_of("guess") == registry.short_of("guess") == "guess"
    assert JudgeRun(method="exact").get_method_display() == "Exact answer"


@pytest.mark.django_db
class TestPlanning:
    def test_tasks_of_another_form_are_skipped_and_counted(self, stub, judge):
        for method, form in FORMS.items():
            factory.respond(factory.task_of(form), TEXTS[method])
        _run, result = judge(method="list_match")
        assert (result["judged"], result["reasons"]) == (1, {"wrong_form": 4})
        assert stub.calls == 1

    def test_a_run_whose_method_fits_no_task_is_refused(self, stub, plan):
        factory.respond(factory.task_of("list"), TEXTS["list_match"])
        with pytest.raises(BadInput, match="judges none of these tasks"):
            plan(method="exact")
        assert not JudgeRun.objects.exists()

    @pytest.mark.parametrize("method", ["graded", "list_match", "exact", "conditions"])
    def test_line_by_line_is_refused_where_it_makes_no_sense(self, stub, plan, method):
        factory.respond(factory.task_of(FORMS[method]), TEXTS[method])
        with pytest.raises(BadInput, match="not line by line"):
            plan(method=method, calls_mode="per_criterion")

    def test_the_form_offers_what_fits_with_counts(self, db):
        jade = ["jade", "jade_skills", "jade_report", "jade_flat"]
        assert [key for key, _words in offered_methods()] == [
            *("one_shot", "zero_shot", "graded"),
            *jade,
        ]
        factory.respond(factory.task_of("exact"), TEXTS["exact"])
        factory.respond(factory.task_of("list"), TEXTS["list_match"])
        offered = dict(offered_methods())
        assert list(offered) == ["graded", "list_match", "exact"]
        assert "(fits 1 of 2 responses, the others are skipped)" in offered["exact"]
        assert "fits" not in offered["graded"]

    def test_a_method_with_an_example_fits_where_experts_scored_one(self, db):
        for key, scored in (("scored", True), ("unscored", False)):
            task = engine_factory.external_task(key, baseline=scored)
            engine_factory.respond(task, "fine")
        offered = dict(offered_methods())
        assert "fits 1 of 2 responses, the others are skipped" in offered["one_shot"]
        assert "fits" not in offered["zero_shot"]

    def test_a_method_without_a_counterpart_has_no_twin(self, stub, judge, staff):
        factory.respond(factory.task_of("list"), TEXTS["list_match"])
        run, _result = judge(method="list_match")
        with pytest.raises(Conflict, match="no twin"):
            plan_by_other_method(actor=staff, run=run)

    def test_an_estimate_leaves_out_what_needs_no_call(self, stub, plan):
        task = factory.task_of("exact")
        factory.respond(task, "Answer: 1234.5 kg", "system-1")
        factory.respond(task, "Answer: one and a bit tons", "system-2")
        found = estimate_of(plan(method="exact"))
        assert (found.responses, found.calls) == (2, 1)


@pytest.mark.django_db
@pytest.mark.parametrize("method", FORMS)
class TestEveryMethod:
    @pytest.fixture
    def response(self, method):
        return factory.respond(factory.task_of(FORMS[method]), TEXTS[method])

    def test_the_offline_rules_judge_without_a_key(self, judge, response, method):
        run, result = judge(method=method, provider="offline", model="")
        assert (result["judged"], result["failed"], result["cost_usd"]) == (1, 0, 0.0)
        assert run.calls.count() == 1
        found = Judgment.objects.get()
        grades = {
            "graded": (2, 4),
            "list_match": (1, 4),
            "questions": (6, 6),
            "exact": (1, 1),
            "conditions": (1, 3),
        }
        assert (found.score_numerator, found.score_denominator) == grades[method]

    def test_what_was_judged_is_not_asked_again(self, stub, judge, response, method):
        judge(method=method)
        _run, result = judge(method=method)
        assert (stub.calls, result["reused"]) == (1, 1)

    def test_a_batch_holds_its_question(self, stub, judge, response, method):
        if registry.get(method).one_call_per_part:
            pytest.skip("A batch holds one question per response.")
        run, _result = judge(method=method, batch=True)
        assert run.batches.get().requests == 1

    def test_a_budget_holds(self, stub, judge, response, method):
        run, result = judge(method=method, max_calls=0)
        assert (run.state, result["judged"], stub.calls) == ("stopped", 0, 0)
        lifecycle.continue_run(actor=None, run=run, max_calls=5)
        run, result = judge(run)
        assert (run.state, result["judged"]) == ("finished", 1)

    def test_another_number_of_the_repeat_asks_anew(self, stub, judge, response, method):
        judge(method=method)
        judge(method=method, repeat=1)
        assert stub.calls == 2

    def test_the_prompt_holds_no_candidate_weight_or_importance(
        self, stub, judge, response, method
    ):
        judge(method=method)
        asked = str(stub.requests[-1].body)
        hidden = ["system-1", "essential", "dimension"]
        if method != "conditions":  # which weighs and sorts them on purpose
            hidden.append('"weight"')
        for word in hidden:
            assert word not in asked


@pytest.mark.django_db
class TestFindings:
    def test_a_finding_has_data_or_a_reason(self, stub, judge):
        factory.respond(factory.task_of("text"), TEXTS["graded"])
        judge(method="graded")
        held = Judgment.objects.get()
        for wrong in ({"data": None}, {"data": {"grade": 1}, "reason": "unreadable"}):
            with pytest.raises(IntegrityError), transaction.atomic():
                Finding.objects.create(judgment=held, name="other", **wrong)

    def test_line_by_line_has_none(self, stub, judge):
        benchmark(1, 1, lines=2)
        judge()
        assert not Finding.objects.exists()


@pytest.mark.django_db
class TestWhatCandidatesAreTold:
    def test_the_form_of_the_answer_and_nothing_of_the_right_one(self, staff):
        asked = {
            form: builder.answer_prompt(task_text(factory.task_of(form))).suffix
            for form in ("exact", "list", "profile")
        }
        assert "Confidence:" in asked["exact"]
        assert "1,234.5" not in asked["exact"]
        assert "one of the items a line" in asked["list"]
        assert "only the first" not in asked["list"]
        assert not any(name in asked["list"] for name in ("Acme", "Gamma"))
        assert "questions that you do not see" in asked["profile"]
        assert "Zürich" not in asked["profile"]
        task = factory.task_of("list")
        ListDemand.objects.create(task=task, number=7, what="companies", set_by=staff)
        suffix = builder.answer_prompt(task_text(task)).suffix
        assert "only the first 7 are counted" in suffix
        assert "one of the companies a line" in suffix

    def test_a_text_is_asked_for_as_before(self):
        text = task_text(factory.task_of("text"))
        assert text.answer_note == ""
        assert builder.answer_prompt(text).suffix.endswith("the bridge.\n")

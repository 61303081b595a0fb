"""One command makes the tables of ablation and alignment from stored runs."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.base.web.refusals import BadInput
from judge.asking.calls.price_models import Price
from judge.asking.candidates.models import Response
from judge.base.stats.report_scores import trimmed_mean
from judge.results.method_comparison.queries import compare_methods
from judge.scoring.graded_sheets.models import GradedSheet
from tests.llm_methods import grade_of
from tests.methods.jade.pages import folder_of
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db

FACTS = [f"Supplier {n} of the valley sells {n + 3} kinds of cups." for n in range(12)]


@pytest.fixture
def reports(tmp_path):
    """Five responses to each of six tasks, each graded by five experts."""
    for n in range(6):
        task = factory.external_task(lines=2)
        for who in range(5):
            facts = "\n".join(f"Fact: {FACTS[(n + who + k) % 12]}" for k in (0, 1))
            factory.respond(task, f"system-{who}", f"System {who} on {n}.\n{facts}\nBuy cups.")
    for response in Response.objects.filter(baseline=False):
        for rater in range(5):
            grade_it(response, f"expert-{rater}", 1 + (response.pk + rater % 2) % 5)
    return folder_of(tmp_path / "pages", FACTS)


def grade_it(response, rater, grade):
    GradedSheet.objects.create(
        response=response, rater=rater, grade=grade, analysis="Read.", state="submitted",
        submitted_at=timezone.now(),
    )  # fmt: skip


def printed(*runs, **options):
    lines = []

    class Out:
        def write(self, text):
            lines.append(text)

    named = ",".join(map(str, runs))
    call_command("compare_methods", "--runs", named, stdout=Out(), **options)
    return "".join(lines)


def test_each_method_stands_beside_the_experts_with_what_it_took(stub, judge, reports):
    for model in ("judge-1",):
        Price.objects.create(
            provider="openai", model=model, input_micro=10**6, cached_micro=10**6,
            output_micro=10**6,
        )  # fmt: skip
    jade, facts = judge(method="jade_report", search=reports)
    graded, _facts = judge(method="graded")
    found = json.loads(printed(jade.pk, graded.pk, json=True, resamples=50))
    assert (found["common"], found["graded"], found["trimmed"]) == (30, 30, 30)
    assert found["experts"]["raters"] == 5
    first, second = found["methods"]
    assert (first["method"], second["method"]) == ("jade_report", "graded")
    assert first["scored"] == 30
    assert first["agreement"]["n"] == 30
    assert first["cost"]["calls"] == pytest.approx(facts["calls"] / 30)
    assert first["cost"]["cost_usd"] == pytest.approx(facts["cost_usd"] / 30)
    assert first["cost"]["calls"] > second["cost"]["calls"] == 1
    texts = Response.objects.filter(baseline=False).values_list("text", flat=True)
    assert second["mean"] == pytest.approx(sum(25 * (grade_of(text) - 1) for text in texts) / 30)
    words = printed(jade.pk, graded.pk, resamples=50)
    assert "30 responses that every run scored and an expert graded." in words
    assert "JADE, report only" in words


def test_only_responses_that_every_run_scored_count(stub, judge, reports):
    graded, _facts = judge(method="graded")
    some, _facts = judge(method="zero_shot", candidates=["system-1", "system-2"])
    found = compare_methods([graded.pk, some.pk], resamples=20)
    assert (found.common, found.graded) == (12, 30)
    assert [row.agreement.n for row in found.rows] == [12, 12]


def test_repeats_say_how_steady_a_judge_is(stub, judge, plan, reports):
    first, _facts = judge(method="graded")
    judge(method="graded", repeat=1)
    (row,) = compare_methods([first.pk], resamples=0).rows
    assert (row.repeats, row.instability) == (2, 0)
    assert row.agreement.pearson_ci95 is None


def test_a_target_is_trimmed_only_where_three_experts_graded(stub, judge):
    task = factory.external_task(lines=2)
    first, second = (factory.respond(task, f"system-{n}", f"Text {n}") for n in (1, 2))
    for n, grade in enumerate((1, 5, 5)):
        grade_it(first, f"expert-{n}", grade)
    grade_it(second, "expert-0", 2)
    run, _facts = judge(method="graded")
    found = compare_methods([run.pk], resamples=0)
    assert (found.common, found.several) == (2, 1)
    assert trimmed_mean([0, 1, 1]) == 1
    targets = sorted(part.target for part in found.rows[0].calibration)
    assert targets == [0.25, 1]


def test_what_cannot_be_compared_is_said(stub, judge, reports):
    with pytest.raises(CommandError, match="There is no run"):
        printed(99)
    with pytest.raises(CommandError, match="There is no run"):
        printed("x")
    with pytest.raises(BadInput, match="at least one run"):
        compare_methods([])
    run, _facts = judge(method="graded", candidates=["system-1"])
    GradedSheet.objects.all().delete()
    found = compare_methods([run.pk])
    assert (found.common, found.rows[0].mean, found.experts.mean_pearson) == (0, None, None)
    assert "–" in printed(run.pk)


def test_more_responses_and_grades_cost_no_further_query(stub, judge, reports):
    few, _facts = judge(method="graded", candidates=["system-1"])
    first = queries_of(few)
    assert compare_methods([few.pk], resamples=0).common == 6
    more, _facts = judge(method="graded")
    assert queries_of(more) == first
    assert compare_methods([more.pk], resamples=0).common == 30


def queries_of(run):
    with CaptureQueriesContext(connection) as queries:
        compare_methods([run.pk], resamples=0)
    return len(queries)

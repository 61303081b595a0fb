"""Probing: several answers of each model, each graded, counted with an interval, asked once."""

from io import StringIO

import pytest
from django.core.management import call_command

from curation.screening.panels.models import ReferenceCheck, Screening
from curation.screening.panels.policy import policy_for
from curation.tasks.authoring.actions import submit_task
from curation.tasks.task.models import Task
from curation.tasks.task.probe_findings import classify
from judge.asking.calls.models import Call, MonthlyBudget
from judge.asking.calls.price_actions import set_price
from judge.asking.endpoints.models import ServedModel
from judge.base.stats.proportions import wilson
from judge.suggesting import probes
from judge.suggesting.probes import ProbeSample
from tests import documents
from tests.attached import attach, pictures_in
from tests.llm_stub import Behaviour

REFERENCE = (
    "The enterprise value is 120 million. Net debt of 20 million must be deducted. "
    "The equity value is therefore 100 million. The lease liability of 5 million is part of debt."
)


@pytest.fixture
def submitted(author, draft):
    Task.objects.filter(pk=draft.pk).update(reference_answer=REFERENCE)
    draft.refresh_from_db()
    return submit_task(actor=author, task=draft)


def work():
    call_command("work", stdout=StringIO())


def test_each_model_is_asked_as_often_as_the_rules_say(
    submitted,
    stub,
    settings,
    rules,
    sign_in,
    author,
):
    rules(samples=3)
    settings.PROBE_MODELS = ["openai:probe-1", "anthropic:probe-2"]
    work()
    samples = ProbeSample.objects.filter(task=submitted)
    assert samples.count() == 6
    assert set(samples.values_list("state", flat=True)) == {"graded"}
    assert all(s.call is not None and s.passed is not None for s in samples)
    assert stub.calls == 6  # graded by rule, so that nobody else was asked
    told = Screening.objects.get(task=submitted).probing
    assert (told["asked"], told["graded"], told["by_rules"]) == (6, 6, True)
    assert [round(x, 4) for x in wilson(told["passed"], 6)] == [told["low"], told["high"]]
    page = sign_in(author).get(f"/tasks/{submitted.pk}/").content.decode()
    assert f"{told['passed']} of 6 answers passed" in page
    assert "Graded by rules, not by a model" in page
    assert "probe-1" not in page  # authors learn the counts, not which model it was


def test_what_fails_is_a_state_with_its_reason_and_never_a_zero(
    submitted,
    stub,
    settings,
    rules,
):
    rules(samples=2)
    settings.PROBE_MODELS = ["openai:probe-1", "acme:none"]
    stub.script("401")
    work()
    states = dict(ProbeSample.objects.filter(model="openai:probe-1").values_list("number", "state"))
    assert states == {1: "failed", 2: "graded"}
    assert "401" in ProbeSample.objects.get(model="openai:probe-1", number=1).problem
    assert not ProbeSample.objects.filter(state="failed", passed__isnull=False).exists()
    told = Screening.objects.get(task=submitted).probing
    assert (told["asked"], told["graded"]) == (4, 1)


def test_without_any_answer_nothing_is_measured_and_the_panel_goes_on(
    submitted,
    stub,
    settings,
    rules,
):
    rules(samples=1)
    settings.PROBE_MODELS = ["openai:probe-1"]
    stub.script("401")
    work()
    submitted.refresh_from_db()
    assert submitted.stage == "screening"
    screening = Screening.objects.get(task=submitted)
    assert (screening.finding, screening.probing["problem"]) == ("unknown", "no_answer")
    assert not ReferenceCheck.objects.exists()


@pytest.fixture
def priced(staff):
    """Prices by which each answer costs something."""
    for provider, model in (("openai", "probe-1"), ("openai", "probe-2"), ("openai", "grader")):
        set_price(
            actor=staff,
            provider=provider,
            model=model,
            input_micro=1_000_000,
            cached_micro=None,
            output_micro=2_000_000,
        )


def test_a_budget_that_ends_halfway_measures_nothing_and_says_why(
    submitted, stub, settings, rules, priced, sign_in, author, staff
):
    rules(samples=2)
    settings.PROBE_MODELS = ["openai:probe-1", "openai:probe-2"]
    MonthlyBudget.objects.create(probe=1)  # the first answer uses it up
    work()
    assert stub.calls == 1
    assert list(ProbeSample.objects.order_by("pk").values_list("state", flat=True)) == [
        "graded",
        "waiting",
        "waiting",
        "waiting",
    ]
    screening = Screening.objects.get(task=submitted)
    told = screening.probing
    assert (screening.finding, told["problem"]) == ("unknown", "budget")
    assert (told["asked"], told["graded"]) == (4, 1)
    assert "is used up" in told["detail"]
    assert all("is used up" in model["problem"] for model in told["models"])
    assert not ReferenceCheck.objects.exists()
    page = sign_in(author).get(f"/tasks/{submitted.pk}/").content.decode()
    assert "the monthly budget for probing ended before all answers" in page
    assert "is used up" not in page  # what it was is for staff


def test_a_budget_that_ends_before_the_grading_leaves_the_answer_to_be_graded(
    submitted, stub, settings, rules, priced
):
    rules(samples=1)
    settings.PROBE_MODELS = ["openai:probe-1"]
    settings.PROBE_GRADER = "openai:grader"
    MonthlyBudget.objects.create(probe=1)
    work()
    assert (stub.calls, ProbeSample.objects.get().state) == (1, "answered")
    assert Screening.objects.get(task=submitted).probing["problem"] == "budget"
    MonthlyBudget.objects.create(number=2)  # no limit
    submitted.refresh_from_db()
    assert probes.probe(submitted, policy_for(submitted.domain_id), ["openai:probe-1"], int) == (
        "",
        "",
    )
    assert (stub.calls, ProbeSample.objects.get().state) == (2, "graded")


def test_a_crash_in_the_middle_asks_nothing_twice(
    submitted,
    stub,
    settings,
    rules,
    monkeypatch,
):
    rules(samples=4)
    settings.PROBE_MODELS = ["openai:probe-1"]
    beats = []

    def die() -> None:
        beats.append(1)
        if len(beats) == 4:  # after one answer and its grade, and a second answer
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        probes.screen(submitted, heartbeat=die)
    assert stub.calls == 2
    assert list(ProbeSample.objects.order_by("number").values_list("state", flat=True)) == [
        "graded",
        "answered",
        "waiting",
        "waiting",
    ]
    probes.screen(submitted)
    assert stub.calls == 4
    assert Call.objects.filter(provider="openai", purpose="probe").count() == 4
    assert ProbeSample.objects.filter(state="graded").count() == 4


def test_a_configured_model_grades_instead(submitted, stub, settings, rules):
    rules(samples=1)
    settings.PROBE_MODELS = ["openai:probe-1"]
    settings.PROBE_GRADER = "anthropic:grader"
    work()
    sample = ProbeSample.objects.get()
    assert (sample.state, sample.graded_by) == ("graded", "anthropic grader")
    assert sample.grade_call.provider == "anthropic"
    assert Screening.objects.get(task=submitted).probing["by_rules"] is False


def test_a_grader_that_fails_leaves_no_grade(submitted, stub, settings, rules):
    rules(samples=1)
    settings.PROBE_MODELS = ["openai:probe-1"]
    settings.PROBE_GRADER = "openai:grader"
    stub.script("ok", Behaviour("ok", text="I cannot say."))
    work()
    sample = ProbeSample.objects.get()
    assert (sample.state, sample.passed) == ("failed", None)
    assert "left" in sample.problem


def test_offline_probing_is_one_answer_and_says_that_no_model_was_asked(
    submitted, settings, rules, sign_in, author
):
    rules(samples=5)
    settings.PROBE_MODELS = ["offline:rules-1"]
    work()
    assert ProbeSample.objects.count() == 1
    page = sign_in(author).get(f"/tasks/{submitted.pk}/").content.decode()
    assert "No model was asked" in page


def test_a_suspect_finding_opens_a_check(submitted, stub, settings, rules):
    rules(samples=2, solved_percent=100, easy_percent=100, suspect_percent=99)
    settings.PROBE_MODELS = ["openai:probe-1"]
    stub.script(Behaviour("ok", text="I do not know."), Behaviour("ok", text="No idea."))
    work()
    assert Screening.objects.get(task=submitted).finding == "suspect"
    assert ReferenceCheck.objects.get(task=submitted).checker is None  # nobody is eligible yet


@pytest.mark.parametrize(
    ("passed", "graded", "finding"),
    [
        (0, 0, "unknown"),
        (9, 10, "easy"),
        (8, 10, "fair"),  # on the limit is within it
        (1, 10, "fair"),
        (0, 10, "suspect"),
        (1, 11, "suspect"),
    ],
)
def test_the_finding_follows_the_limits(passed, graded, finding):
    assert classify(passed, graded, 80, 10) == finding


def test_the_interval_is_wilsons():
    assert wilson(0, 0) is None
    assert [round(x, 4) for x in wilson(0, 10)] == [0.0, 0.2775]
    assert [round(x, 4) for x in wilson(5, 10)] == [0.2366, 0.7634]
    assert [round(x, 4) for x in wilson(10, 10)] == [0.7225, 1.0]
    with pytest.raises(ValueError, match="no share"):
        wilson(3, 2)


def test_a_model_that_takes_no_pictures_is_not_probed_and_says_why(
    submitted, stub, settings, rules, tmp_path
):
    settings.MEDIA_ROOT = tmp_path / "files"
    rules(samples=1)
    attach(submitted, "plan.png", documents.picture())
    ServedModel.objects.create(provider="openai", model="sees", pictures=True)
    ServedModel.objects.create(provider="openai", model="reads", pictures=False)
    settings.PROBE_MODELS = ["openai:sees", "openai:reads"]
    work()
    assert stub.calls == 1
    assert pictures_in(stub.requests[0])
    skipped = ProbeSample.objects.get(model="openai:reads")
    assert skipped.state == "failed"
    assert skipped.problem == "the task has pictures, and this model takes none"
    assert Screening.objects.get(task=submitted).probing["graded"] == 1

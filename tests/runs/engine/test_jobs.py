"""What waits for a machine gets done: by the worker, by the sweep, or by `manage.py work`."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from curation.tasks.task.models import Task
from judge.asking.calls.models import Call
from judge.base.queue import leases
from judge.base.queue.models import Heartbeat, MachineWork
from judge.base.queue.send import send
from judge.jobs import jobs
from judge.runs.engine.models import JudgeRun
from judge.scoring.anchors.models import Anchor
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db

REFERENCE = (
    "The enterprise value is 120 million. Net debt of 20 million must be deducted. "
    "The equity value is therefore 100 million. The lease liability of 5 million is part of debt."
)


@pytest.fixture
def submit(author, finance):
    """A task of an expert here, waiting in a stage."""

    def submit(stage="submitted", key="own-1", **fields):
        texts = {
            "scenario": "A family sells its company and asks what its shares are worth.",
            "requirements": "Bridge the enterprise value to the equity value, step by step.",
            "reference_answer": REFERENCE,
        }
        return Task.objects.create(
            key=key, author=author, domain=finance, title="Bridge", stage=stage, **texts | fields
        )

    return submit


@pytest.fixture
def gold(submit):
    """An anchor that waits for its baseline response."""
    return Anchor.objects.create(task=submit("approved"))


def work():
    out = StringIO()
    call_command("work", stdout=out)
    return out.getvalue()


def test_a_submitted_task_goes_to_its_panel_with_the_reason_why_nothing_was_probed(submit):
    task = submit()
    work()
    task.refresh_from_db()
    assert task.stage == "screening"
    event = task.history.get(to_stage="screening")
    assert event.actor is None
    assert event.data["duplicates"] == []
    assert event.data["probing"]["problem"] == "no_model"
    assert event.data["finding"] == "unknown"


def test_a_near_copy_is_pointed_out_to_the_panel(submit):
    submit("in_review", key="older")
    submit("draft", key="somebody-elses-draft")
    task = submit(requirements="Bridge the enterprise value to the equity value, step by step!")
    work()
    found = task.history.get(to_stage="screening").data["duplicates"]
    assert [entry["task"] for entry in found] == ["older"]
    assert found[0]["similarity"] > 0.9


def test_a_kept_task_gets_a_draft_and_its_author_can_refine_it(submit):
    task = submit("drafting")
    work()
    task.refresh_from_db()
    assert task.stage == "refining"
    draft = task.rubric_versions.get(origin="draft")
    assert draft.frozen
    assert draft.drafted_by == "offline rules-1"
    assert draft.criteria.count() >= 3
    assert task.rubric_versions.get(frozen_at__isnull=True).origin == "expert"


def test_a_model_drafts_where_one_is_named(submit, stub, settings):
    settings.DRAFT_MODEL = "openai:drafter"
    task = submit("drafting")
    work()
    assert task.rubric_versions.get(origin="draft").drafted_by == "openai drafter"
    call = Call.objects.get(purpose="draft")
    assert (call.task, call.provider, call.error) == (task, "openai", "")


@pytest.mark.parametrize("fault", ["401", "refusal", "empty_text", "truncated"])
def test_a_draft_that_fails_is_replaced_by_the_rules_with_the_reason(submit, stub, settings, fault):
    from tests.llm_stub import Behaviour

    settings.DRAFT_MODEL = "openai:drafter"
    reply = Behaviour("ok", text="No.") if fault == "empty_text" else fault
    # A cut reply is asked for once more, with more tokens.
    stub.script(*[reply] * (2 if fault == "truncated" else 1))
    task = submit("drafting")
    work()
    task.refresh_from_db()
    assert task.stage == "refining"
    assert task.rubric_versions.get(origin="draft").drafted_by == "offline rules-1"
    moved = task.history.get(to_stage="refining")
    assert "The model could not draft" in moved.reason  # what the author reads names no provider
    assert "openai" not in moved.reason
    assert moved.data["problem"].startswith("openai drafter: ")  # staff read it


def test_an_anchor_gets_a_baseline_response_and_goes_to_the_scorers(gold):
    work()
    gold.refresh_from_db()
    assert gold.stage == "scoring"
    assert gold.response.baseline
    assert gold.response.candidate.name == "rules-1 (baseline)"
    assert gold.response.source == "generated"
    assert gold.response.text


def test_an_imported_baseline_is_used_without_a_call(gold):
    response = factory.respond(gold.task, "base", baseline=True)
    work()
    gold.refresh_from_db()
    assert (gold.stage, gold.response) == ("scoring", response)
    assert not Call.objects.exists()


def test_an_anchor_nobody_answered_waits_with_the_problem_on_record(gold, stub, settings):
    settings.BASELINE_MODEL = "openai:base"
    stub.script("401")
    out = work()
    gold.refresh_from_db()
    assert (gold.stage, gold.response) == ("answering", None)
    problem = MachineWork.objects.get(kind="answer", object_id=gold.pk)
    assert "401" in problem.problem
    assert "401" in out
    assert jobs.due() == []
    MachineWork.objects.update(updated_at=timezone.now() - timedelta(hours=1))
    work()
    gold.refresh_from_db()
    assert gold.stage == "scoring"
    assert gold.response.candidate.name == "base (baseline)"
    assert MachineWork.objects.get(kind="answer").problem == ""


def test_a_model_that_never_gives_a_usable_baseline_is_not_paid_without_end(gold, stub, settings):
    settings.BASELINE_MODEL = "openai:base"
    stub.script(*["truncated"] * 20)
    for _n in range(7):
        work()
        MachineWork.objects.update(updated_at=timezone.now() - timedelta(hours=1))
    gold.refresh_from_db()
    assert gold.stage == "answering"
    assert Call.objects.filter(purpose="baseline").count() == 4
    problem = MachineWork.objects.get(kind="answer").problem
    assert "openai base gave no usable answer in 4 tries. Choose another model." in problem
    stub.queue.clear()
    settings.BASELINE_MODEL = "openai:other"
    work()
    gold.refresh_from_db()
    assert gold.stage == "scoring"


def test_a_doubled_message_does_the_work_once(submit):
    task = submit("drafting")
    assert jobs.draft_task(task.pk)
    assert not jobs.draft_task(task.pk)
    assert task.rubric_versions.filter(origin="draft").count() == 1


def test_work_held_by_a_living_worker_is_left_alone_until_its_lease_has_passed(submit):
    task = submit("drafting")
    leases.claim_work("draft", task.pk, "0123456789ab-1-1-abcdef")
    assert jobs.due() == []
    assert not jobs.draft_task(task.pk)
    MachineWork.objects.update(lease_until=timezone.now())
    assert jobs.due() == [(jobs.draft_task, task.pk)]
    work()
    task.refresh_from_db()
    assert task.stage == "refining"


def test_work_that_keeps_breaking_is_given_up_for_a_way_that_works(submit, settings):
    settings.PROBE_MODELS = ["openai:probe-1"]
    task = submit()
    for _ in range(jobs.MOST_ATTEMPTS):
        claim = leases.claim_work("probe", task.pk, leases.new_token())
        leases.finish_work(claim, problem="A fault of ours.", done=False)
    jobs.probe_task(task.pk)
    event = task.history.get(to_stage="screening")
    assert event.data["probing"]["problem"] == "broke"
    assert "it broke 3 times" in event.data["probing"]["detail"]
    assert event.reason == ""  # authors read it: no technical words


def test_a_waiting_run_is_found_and_finished(plan):
    factory.benchmark(1, 3)
    run = plan(provider="offline", model="")
    assert jobs.due() == [(jobs.run_judge, run.pk)]
    work()
    run.refresh_from_db()
    assert run.state == JudgeRun.State.FINISHED
    assert jobs.due() == []


def test_the_sweep_queues_what_waits_and_shows_that_a_worker_lives(submit, settings, monkeypatch):
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    task = submit("drafting")
    sent = []
    monkeypatch.setattr(jobs.draft_task, "apply_async", lambda **given: sent.append(given))
    assert jobs.sweep() == 1
    assert sent[0]["args"] == (task.pk,)
    assert Heartbeat.objects.filter(at__gte=timezone.now() - timedelta(seconds=5)).exists()


def test_a_missing_broker_is_no_error_for_whoever_submits(submit, settings, monkeypatch):
    def refuse(**_given):
        raise ConnectionError("no broker")

    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(jobs.probe_task, "apply_async", refuse)
    assert not send("probe_task", submit().pk)


def test_nothing_waiting_is_said(db):
    assert "Nothing was waiting" in work()

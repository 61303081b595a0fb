"""A candidate answers tasks in the background, within its limits."""

import pytest

from judge import jobs
from judge.actions.registry import add_candidate, order_responses, steer_generation
from judge.models import Call, Generation, GenerationItem, Response
from rubrics.models import Criterion
from tests.candidates.conftest import price, states
from tests.judge_engine.factory import external_task
from tests.llm_stub import Behaviour

pytestmark = pytest.mark.django_db


def test_every_task_is_answered_as_often_as_wanted_with_what_it_took(
    stub, tasks, larch, staff, office
):
    price()
    made = order_responses(actor=staff, candidate=larch, samples=2, concurrency=1)
    jobs.generate_responses(made.pk)
    made.refresh_from_db()
    assert (made.state, states(made), stub.calls) == ("finished", {"done": 6}, 6)
    rows = Response.objects.filter(candidate=larch)
    assert sorted(rows.values_list("task__key", "sample")) == [
        (f"t{n}", sample) for n in range(3) for sample in (1, 2)
    ]
    row = rows.first()
    assert row.source == "generated"
    assert row.text
    assert None not in (row.latency_ms, row.cost_micro, row.input_tokens, row.output_tokens)
    assert sum(rows.values_list("cost_micro", flat=True)) == made.spent_micro > 0
    assert Call.objects.filter(purpose="answer", error="").count() == made.calls == 6
    page = office.get(f"/staff/generations/{made.pk}/").content.decode()
    assert "OpenAI larch-4" in page
    assert "Every answer is there." in page


def test_the_model_never_sees_the_reference_answer_or_a_rubric(stub, larch, staff):
    approved_task = external_task("t0", baseline=False)
    order_responses(actor=staff, candidate=larch, concurrency=1)
    jobs.drain()
    sent = str(stub.requests[-1].body)
    assert approved_task.requirements[:40] in sent
    assert approved_task.reference_answer[:40] not in sent
    for line in Criterion.objects.filter(version__task=approved_task):
        assert line.text[:40] not in sent


@pytest.mark.parametrize("fault", ["429", "500", "drop"])
def test_a_failed_attempt_is_repeated_and_counted(stub, tasks, larch, staff, fault):
    stub.script(fault)
    made = order_responses(actor=staff, candidate=larch, concurrency=1)
    jobs.generate_responses(made.pk)
    if states(made).get("waiting"):  # the next attempt is due a little later
        assert Generation.objects.get(pk=made.pk).state == "waiting"
        assert made.pk not in {pk for job, pk in jobs.due() if job is jobs.generate_responses}
    GenerationItem.objects.filter(state="waiting").update(not_before=made.created_at)
    jobs.generate_responses(made.pk)
    made.refresh_from_db()
    assert (made.state, states(made), made.calls) == ("finished", {"done": 3}, 4)


def test_a_cut_answer_is_no_answer_and_can_be_asked_for_again(stub, tasks, larch, staff, office):
    stub.script("truncated")
    made = order_responses(actor=staff, candidate=larch, concurrency=1)
    jobs.generate_responses(made.pk)
    assert states(made) == {"done": 2, "failed": 1}
    assert GenerationItem.objects.get(state="failed").problem == "the answer was truncated"
    page = office.get(f"/staff/generations/{made.pk}/").content.decode()
    assert "the answer was truncated" in page
    office.post(f"/staff/generations/{made.pk}/", {"step": "resume"})
    jobs.generate_responses(made.pk)
    assert states(made) == {"done": 3}


def test_a_provider_that_refuses_us_pauses_the_order(stub, tasks, larch, staff, office):
    stub.script("401")
    made = order_responses(actor=staff, candidate=larch, concurrency=1)
    jobs.generate_responses(made.pk)
    made.refresh_from_db()
    assert (made.state, states(made), stub.calls) == ("paused", {"waiting": 3}, 1)
    page = office.get(f"/staff/generations/{made.pk}/").content.decode()
    assert "the provider refuses every call" in page


def test_neither_calls_nor_money_go_over_their_limit(stub, tasks, larch, staff):
    price()
    made = order_responses(actor=staff, candidate=larch, max_calls=2, concurrency=1)
    jobs.generate_responses(made.pk)
    made.refresh_from_db()
    assert (made.state, made.calls, stub.calls) == ("paused", 2, 2)
    assert "calls that were allowed" in made.reason
    steer_generation(actor=staff, generation=made, step="resume", limits={"max_calls": 9})
    jobs.generate_responses(made.pk)
    assert states(made) == {"done": 3}
    poor = order_responses(actor=staff, candidate=larch, budget_micro=10, concurrency=1)
    jobs.generate_responses(poor.pk)
    poor.refresh_from_db()
    assert (poor.state, poor.spent_micro, poor.calls) == ("paused", 0, 0)


def test_no_budget_in_money_is_promised_where_the_price_is_unknown(
    stub, tasks, larch, staff, office
):
    made = order_responses(actor=staff, candidate=larch, max_calls=1, concurrency=1)
    jobs.generate_responses(made.pk)
    address = f"/staff/generations/{made.pk}/"
    refused = office.post(address, {"step": "resume", "max_calls": "9", "budget_usd": "1"})
    assert refused.status_code == 400
    assert "price of this model is unknown" in refused.content.decode()
    made.refresh_from_db()
    assert (made.state, made.budget_micro, made.max_calls) == ("paused", None, 1)
    price()
    sent = {"step": "resume", "max_calls": "9", "budget_usd": "1"}
    assert office.post(address, sent).status_code == 302
    jobs.generate_responses(made.pk)
    assert states(made) == {"done": 3}


def test_an_order_is_paused_cancelled_and_never_goes_on_by_itself(
    stub, tasks, larch, staff, office
):
    made = order_responses(actor=staff, candidate=larch)
    address = f"/staff/generations/{made.pk}/"
    assert office.post(address, {"step": "pause"}).status_code == 302
    jobs.drain()
    assert stub.calls == 0
    assert office.post(address, {"step": "pause"}).status_code == 409
    assert office.post(address, {"step": "resume", "max_calls": "-1"}).status_code == 400
    assert office.post(address, {"step": "cancel"}).status_code == 302
    assert office.post(address, {"step": "resume"}).status_code == 409
    assert office.post(address, {"step": "fly"}).status_code == 400
    jobs.drain()
    assert stub.calls == 0


def test_what_cannot_be_ordered_is_refused_in_words(tasks, larch, staff, office):
    address = f"/staff/candidates/{larch.pk}/generate/"
    good = {"samples": 1, "concurrency": 2}
    for change, sentence in (
        ({"samples": 0}, "at least 1"),
        ({"samples": 21}, "at most 20"),
        ({"budget_usd": 5}, "price of this model is unknown"),
        ({"domains": ["nowhere"]}, "nowhere"),
    ):
        refused = office.post(address, good | change)
        assert refused.status_code == 400, change
        assert sentence in refused.content.decode()
    plain = add_candidate(actor=staff, name="Imported only")
    refused = office.post(f"/staff/candidates/{plain.pk}/generate/", good)
    assert refused.status_code == 400
    assert not Generation.objects.exists()
    assert office.post(address, good).status_code == 302


def test_a_response_comes_back_whole_in_any_script(stub, tasks, larch, staff, monkeypatch):
    words = "第一段。\r\n\u202eabc\u200b\n" + "長" * 45_000
    stub.script(Behaviour("ok", text=words))
    made = order_responses(actor=staff, candidate=larch, concurrency=1)
    jobs.generate_responses(made.pk)
    texts = list(Response.objects.values_list("text", flat=True))
    assert words.replace("\r\n", "\n") in texts

"""A candidate answers tasks in the background, within its limits."""

from datetime import timedelta

import pytest
from django.utils import timezone

from judge.asking.calls.models import Call
from judge.asking.calls.price_models import Price
from judge.asking.candidates.generation_models import Generation, GenerationItem
from judge.asking.candidates.ledger import OrderLedger
from judge.asking.candidates.models import Response
from judge.jobs import jobs
from judge.results.registry.actions import (
    add_candidate,
    control_generation,
    order_responses,
    retire_candidate,
)
from rubrics.versions.models import Criterion
from tests.asking.candidates.conftest import price, states
from tests.llm_stub import Behaviour
from tests.markup import one_line, words_of
from tests.methods.base.factory import task_of
from tests.runs.engine.factory import external_task

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
    assert "All answers are in." in page


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
    why = "the answer needs more output tokens than it may have"
    assert GenerationItem.objects.get(state="failed").problem == why
    page = office.get(f"/staff/generations/{made.pk}/").content.decode()
    assert why in page
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


def test_one_question_the_provider_refuses_does_not_hold_up_the_others(
    stub, tasks, larch, staff, office
):
    stub.script("ok", "400")
    made = order_responses(actor=staff, candidate=larch, concurrency=1)
    jobs.generate_responses(made.pk)
    made.refresh_from_db()
    assert (made.state, states(made)) == ("finished", {"done": 2, "failed": 1})
    assert "a field is wrong" in office.get(f"/staff/generations/{made.pk}/").content.decode()


def test_a_request_refused_before_any_answer_pauses_the_order_and_loses_none(
    stub, tasks, larch, staff, office
):
    stub.script("400")
    made = order_responses(actor=staff, candidate=larch, concurrency=1)
    jobs.generate_responses(made.pk)
    made.refresh_from_db()
    assert (made.state, states(made), stub.calls) == ("paused", {"waiting": 3}, 1)
    assert "a field is wrong" in office.get(f"/staff/generations/{made.pk}/").content.decode()
    office.post(f"/staff/generations/{made.pk}/", {"step": "resume"})
    jobs.generate_responses(made.pk)
    assert states(made) == {"done": 3}


def test_a_provider_that_refuses_one_question_after_the_other_pauses_the_order(
    stub, tasks, larch, staff
):
    stub.script("ok", *["400"] * 8)
    made = order_responses(actor=staff, candidate=larch, samples=3, concurrency=1)
    jobs.generate_responses(made.pk)
    made.refresh_from_db()
    assert (made.state, stub.calls) == ("paused", 6)
    assert states(made) == {"done": 1, "failed": 5, "waiting": 3}
    assert "refuses every call" in made.reason


def test_an_order_does_not_go_on_where_it_would_stop_before_its_next_answer(
    stub, tasks, larch, staff, office
):
    price()
    made = order_responses(
        actor=staff, candidate=larch, max_calls=1, budget_micro=50_000, concurrency=1
    )
    jobs.generate_responses(made.pk)
    address = f"/staff/generations/{made.pk}/"
    for limits, said in (
        ({}, "1 call was made already"),
        ({"max_calls": "1"}, "1 call was made already"),
        ({"max_calls": "9", "budget_usd": "0"}, "the next answer needs a budget of $0.01"),
        ({"max_calls": "9", "budget_usd": "0.001"}, "at most 2 digits after the point"),
    ):
        refused = office.post(address, {"step": "resume", **limits})
        page = refused.content.decode()
        assert (refused.status_code, said in page) == (400, True), limits
        assert 'id="id_max_calls"' in page  # the form is there, with what was typed
        made.refresh_from_db()
        assert (made.state, made.max_calls, made.budget_micro) == ("paused", 1, 50_000)
    enough = {"step": "resume", "max_calls": "9", "budget_usd": "0.01"}
    assert office.post(address, enough).status_code == 302
    jobs.generate_responses(made.pk)
    assert states(made) == {"done": 3}


def test_the_page_of_an_order_follows_it_to_its_end_and_asks_before_it_is_cancelled(
    stub, tasks, larch, staff, office
):
    made = order_responses(actor=staff, candidate=larch)
    address = f"/staff/generations/{made.pk}/"
    page = office.get(address)
    assert f'data-refresh="{address}?state=waiting"' in page.content.decode()
    assert 'data-confirm-title="Cancel this order?"' in page.content.decode()
    assert "X-Reload" not in office.get(f"{address}?state=waiting").headers
    office.post(address, {"step": "cancel"})
    assert office.get(f"{address}?state=waiting").headers["X-Reload"] == "1"
    page = office.get(address).content.decode()
    assert "3 not asked" in words_of(page)
    assert "waiting" not in page[page.index('id="progress"') :]


def test_neither_calls_nor_money_go_over_their_limit(stub, tasks, larch, staff):
    price()
    made = order_responses(actor=staff, candidate=larch, max_calls=2, concurrency=1)
    jobs.generate_responses(made.pk)
    made.refresh_from_db()
    assert (made.state, made.calls, stub.calls) == ("paused", 2, 2)
    assert "calls that were allowed" in made.reason
    control_generation(actor=staff, generation=made, step="resume", limits={"max_calls": 9})
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


def test_what_cannot_be_ordered_is_refused_in_words(stub, tasks, larch, staff, office):
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
    assert not Generation.objects.exists()
    assert office.post(address, good).status_code == 302


class TestACandidateThatCannotBeAsked:
    """The page says why and links to where it is mended; it offers no Start."""

    GOOD = {"samples": 1, "concurrency": 2}

    def offered(self, office, candidate) -> str:
        address = f"/staff/candidates/{candidate.pk}/generate/"
        page = one_line(office.get(address).content.decode())
        assert ">Start</button>" not in page
        refused = office.post(address, self.GOOD)
        assert refused.status_code == 400
        assert ">Start</button>" not in one_line(refused.content.decode())
        assert not Generation.objects.exists()
        return page

    def test_because_no_model_is_set(self, tasks, staff, office):
        plain = add_candidate(actor=staff, name="Imported only")
        page = self.offered(office, plain)
        assert "No model is set for Imported only." in page
        assert f'href="/staff/candidates/{plain.pk}/#facts"' in page
        assert " is asked without" not in page

    def test_because_its_provider_has_no_key(self, tasks, larch, office, monkeypatch):
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        page = self.offered(office, larch)
        assert "No key is set for OpenAI on this server. Set OPENAI_API_KEY" in page

    def test_because_it_is_retired(self, stub, tasks, larch, staff, office):
        retire_candidate(actor=staff, candidate=larch)
        assert "Larch 4 is retired, so it is no longer asked." in self.offered(office, larch)

    def test_because_no_task_is_approved(self, stub, larch, office):
        assert "There is no approved task to answer." in self.offered(office, larch)


def test_a_response_comes_back_whole_in_any_script(stub, tasks, larch, staff, monkeypatch):
    words = "第一段。\r\n\u202eabc\u200b\n" + "長" * 45_000
    stub.script(Behaviour("ok", text=words))
    made = order_responses(actor=staff, candidate=larch, concurrency=1)
    jobs.generate_responses(made.pk)
    texts = list(Response.objects.values_list("text", flat=True))
    assert words.replace("\r\n", "\n") in texts


def test_a_price_raised_during_an_order_counts_for_its_budget_from_then_on(
    stub, tasks, larch, staff, monkeypatch
):
    row = price()
    made = order_responses(
        actor=staff, candidate=larch, samples=20, concurrency=1, budget_micro=50_000
    )
    real, seen = OrderLedger.keep, []

    def dearer(self, asked, came):
        seen.append(real(self, asked, came))
        if len(seen) == 3:
            Price.objects.filter(pk=row.pk).update(input_micro=10_000_000, output_micro=10_000_000)
        return seen[-1]

    monkeypatch.setattr(OrderLedger, "keep", dearer)
    jobs.generate_responses(made.pk)
    made.refresh_from_db()
    assert (made.state, "budget" in made.reason) == ("paused", True)
    costs = list(
        Call.objects.filter(purpose="answer").order_by("pk").values_list("cost_micro", flat=True)
    )
    assert len(costs) > 4
    assert min(costs[3:]) > 5 * max(costs[:3])
    assert sum(costs) == made.spent_micro <= 50_000


def test_a_provider_that_asks_for_an_hour_is_asked_nothing_before_and_no_answer_fails(
    stub, tasks, larch, staff, office, monkeypatch
):
    made = order_responses(actor=staff, candidate=larch, samples=2, concurrency=1)
    stub.script("ok", *[Behaviour("429", retry_after="3600")] * 20)
    jobs.drain()
    made.refresh_from_db()
    assert (made.state, states(made), stub.calls) == ("waiting", {"done": 1, "waiting": 5}, 2)
    page = one_line(words_of(office.get(f"/staff/generations/{made.pk}/").content.decode()))
    assert "The provider takes no calls before" in page
    assert "goes on by itself then" in page
    stub.queue.clear()
    jobs.drain()
    assert stub.calls == 2
    now = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(seconds=3_700))
    jobs.drain()
    made.refresh_from_db()
    assert (made.state, made.reason, states(made)) == ("finished", "", {"done": 6})


@pytest.mark.parametrize("reply", [Behaviour("ok", text=" \n"), Behaviour("filter")])
def test_an_empty_or_filtered_reply_to_an_exact_question_is_an_answer(stub, larch, staff, reply):
    task_of("exact")
    task_of("text")
    stub.script(reply, reply)
    made = order_responses(actor=staff, candidate=larch, concurrency=1)
    jobs.generate_responses(made.pk)
    assert states(made) == {"done": 1, "failed": 1}
    row = Response.objects.get(candidate=larch)
    assert (row.task.answer_form, row.text.strip()) == ("exact", "")

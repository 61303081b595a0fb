"""Runs and orders that ask endpoints: chosen from the list, recorded, paused at a refusal."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import call_command
from django.db import connection

from judge.asking.calls import pool as call_pool
from judge.asking.calls.models import Call
from judge.asking.calls.price_actions import set_price
from judge.asking.candidates.generation_models import Generation
from judge.asking.candidates.models import Candidate
from judge.asking.endpoints.actions import (
    change_endpoint,
    change_model,
    retire_endpoint,
    set_parameters,
)
from judge.asking.endpoints.models import Parameters, ProgrammeModels, ServedModel
from judge.jobs import jobs
from judge.results.registry.actions import add_candidate, order_responses
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.planning.plan import plan_run
from judge.runs.engine.work import work_on_run
from judge.runs.pages import lifecycle
from tests.asking.candidates.conftest import states
from tests.asking.endpoints.conftest import KEYS
from tests.markup import words_of
from tests.runs.engine import factory
from tests.runs.engine.conftest import QUICK
from tests.runs.engine.test_runs import all_right

MODELS = {"north": "fir", "south": "oak", "west": "elm"}


@pytest.fixture
def office(sign_in, staff):
    return sign_in(staff)


def planned(name, **more):
    return plan_run(actor=None, method="one_shot", provider=name, model=MODELS[name], **more)


def worked(run):
    assert work_on_run(run, policy=QUICK, timeout=10)
    return lifecycle.summary(run)


@pytest.mark.django_db(transaction=True)
def test_three_vendors_judge_at_once_each_within_its_limit_and_at_its_price(vendors, endpoints):
    factory.benchmark(3, 4)
    dollars = {"north": 1, "south": 10, "west": 100}
    for name, price in dollars.items():
        set_price(
            actor=None, provider=name, model=MODELS[name], input_micro=price * 10**6,
            output_micro=price * 10**6,
        )  # fmt: skip
        vendors.of(name).latency = 0.02
    runs = {name: planned(name, concurrency=8, budget_micro=10**9) for name in MODELS}

    def work(run):
        try:
            return worked(run)
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        results = dict(zip(runs, pool.map(work, runs.values()), strict=True))
    for name, run in runs.items():
        assert (run.state, results[name]["judged"]) == (JudgeRun.State.FINISHED, 12)
        assert all_right(run) == 12 * 17
        tokens = sum(
            call.input_tokens + call.output_tokens for call in Call.objects.filter(run=run)
        )
        assert results[name]["cost_usd"] == pytest.approx(
            tokens * dollars[name] / 10**6, rel=0.3 if name == "west" else 0.01
        )  # a vendor that reports what it wrote into its cache charges more for that
    assert vendors.north.max_concurrency <= 2
    assert vendors.south.max_concurrency <= 3
    assert {vendors.of(name).calls for name in MODELS} == {12}


FAULTS = {
    ("south", "key"): "refuses the calls",
    ("south", "model"): "does not serve “oak”",
    ("south", "parameter"): "Unsupported parameter: seed.",
    ("west", "key"): "refuses the calls",
    ("west", "model"): "does not serve “elm”",
    ("west", "parameter"): "is not asked with a parameter “seed”",
}


def break_(name, fault, vendors, monkeypatch):
    """Break a vendor one way; returns how it is mended."""
    stub, variable = vendors.of(name), f"{name.upper()}_API_KEY"
    if fault == "key":
        monkeypatch.setenv(variable, "wrong-key-000000000000")
        return lambda: monkeypatch.setenv(variable, KEYS[name])
    if fault == "model":
        serves, stub.serves = stub.serves, ("pine",)
        return lambda: setattr(stub, "serves", serves)
    served = ServedModel.objects.get(provider=name)
    for purpose in ("judge", "answer"):
        Parameters.objects.create(served=served, purpose=purpose, values={"seed": 7})
    return lambda: setattr(stub, "refuses", ())


@pytest.mark.django_db
class TestARefusal:
    @pytest.mark.parametrize(("name", "fault"), FAULTS)
    def test_pauses_a_run_in_one_sentence_and_no_response_is_lost(
        self, office, vendors, endpoints, monkeypatch, name, fault
    ):
        factory.benchmark(2, 3)
        mend = break_(name, fault, vendors, monkeypatch)
        run = planned(name)
        result = worked(run)
        assert run.state == JudgeRun.State.PAUSED
        assert (result["judged"], result["failed"], result["waiting"]) == (0, 0, 6)
        page = words_of(office.get(f"/staff/runs/{run.pk}/").content.decode())
        assert FAULTS[name, fault] in page
        assert name.title() in page
        assert "wrong-key" not in page
        if (name, fault) == ("west", "parameter"):
            return  # a run keeps its parameters, and no request of this kind has a seed
        mend()
        lifecycle.continue_run(actor=None, run=run)
        result = worked(run)
        assert (run.state, result["judged"]) == (JudgeRun.State.FINISHED, 6)
        assert all_right(run) == 6 * 17

    @pytest.mark.parametrize(("name", "fault"), FAULTS)
    def test_pauses_an_order_and_no_answer_is_lost(
        self, office, staff, vendors, endpoints, monkeypatch, name, fault
    ):
        for n in range(3):
            factory.external_task(f"t{n}", baseline=False)
        mend = break_(name, fault, vendors, monkeypatch)
        tree = add_candidate(actor=staff, name="Tree", provider=name, model=MODELS[name])
        made = order_responses(actor=staff, candidate=tree)
        jobs.generate_responses(made.pk)
        made.refresh_from_db()
        assert (made.state, states(made)) == ("paused", {"waiting": 3})
        page = words_of(office.get(f"/staff/generations/{made.pk}/").content.decode())
        assert "refuses every call" in page
        assert "wrong-key" not in page
        if (name, fault) == ("west", "parameter"):
            return
        mend()
        office.post(f"/staff/generations/{made.pk}/", {"step": "resume"})
        jobs.generate_responses(made.pk)
        assert states(made) == {"done": 3}

    @pytest.mark.parametrize("name", ["south", "west"])
    def test_a_key_that_is_taken_away_in_the_middle_costs_no_answer(
        self, office, vendors, endpoints, name
    ):
        factory.benchmark(1, 5)
        vendor = vendors.of(name).script("ok", "ok", "401", "401", "401")
        run = planned(name, concurrency=1)
        result = worked(run)
        assert run.state == JudgeRun.State.PAUSED
        assert (result["judged"], result["failed"], result["waiting"]) == (2, 0, 3)
        page = words_of(office.get(f"/staff/runs/{run.pk}/").content.decode())
        assert "refuses the calls" in page
        refused = vendor.calls - 2  # the thread may ask on until the coordinator hears of it
        vendor.queue.clear()
        lifecycle.continue_run(actor=None, run=run)
        result = worked(run)
        assert (run.state, result["judged"]) == (JudgeRun.State.FINISHED, 5)
        assert vendor.calls == 2 + refused + 3  # what was answered is not asked again

    def test_a_run_pauses_where_its_endpoint_is_retired_and_goes_on_afterwards(
        self, office, vendors, endpoints
    ):
        factory.benchmark(1, 2)
        run = planned("south")
        office.post("/staff/endpoints/south/retire/", {"step": "retire"})
        assert worked(run)["waiting"] == 2
        assert "retired" in run.why
        office.post("/staff/endpoints/south/retire/", {"step": "take_back"})
        lifecycle.continue_run(actor=None, run=run)
        assert worked(run)["judged"] == 2

    def test_a_run_under_way_follows_its_endpoint(self, office, vendors, endpoints, monkeypatch):
        monkeypatch.setattr(call_pool, "EXCHANGE_EVERY", 0.0)
        factory.benchmark(1, 6)
        run = planned("south", concurrency=1)
        vendors.south.latency = 0.05
        retired = []

        def retire(done, total):
            if not retired:
                retired.append(retire_endpoint(actor=None, endpoint=endpoints["south"]))

        assert work_on_run(run, policy=QUICK, timeout=10, on_progress=retire)
        result = lifecycle.summary(run)
        assert run.state == JudgeRun.State.PAUSED
        assert result["failed"] == 0
        assert 1 <= result["judged"] < 6
        assert result["judged"] + result["waiting"] == 6

    def test_one_refused_question_after_an_answer_fails_alone(self, vendors, endpoints):
        factory.benchmark(1, 3)
        vendors.south.script("ok", "400")
        result = worked(planned("south", concurrency=1))
        assert (result["judged"], result["failed"]) == (2, 1)


@pytest.mark.django_db
class TestARun:
    def fields(self, **more):
        return {"method": "one_shot", "calls_mode": "per_response", "concurrency": 4, **more}

    def test_chooses_from_the_list_and_records_whom_it_asks(self, office, vendors, endpoints):
        factory.benchmark(1, 1)
        served = ServedModel.objects.get(provider="south")
        change_model(actor=None, served=served, pictures=True, context_tokens=200_000)
        set_parameters(
            actor=None, served=served, purpose="judge",
            values={"temperature": 0.5, "system": "Be strict."},
        )  # fmt: skip
        set_price(actor=None, provider="south", model="oak", input_micro=3 * 10**6,
                  output_micro=15 * 10**6)  # fmt: skip
        office.post("/staff/runs/new/", self.fields(chosen="south:oak"))
        run = JudgeRun.objects.get()
        assert (run.provider, run.model) == ("south", "oak")
        assert run.parameters == {"temperature": 0.5, "system": "Be strict."}
        assert run.setup == {
            "endpoint": "South",
            "protocol": "openai",
            "host": f"127.0.0.1:{vendors.south.port}",
            "model": {
                "label": "", "family": "", "pictures": True, "structured_output": True,
                "search": True, "effort": True, "context_tokens": 200_000,
                "most_output_tokens": None,
            },
            "price": {"input": 3 * 10**6, "cached": 3 * 10**6, "output": 15 * 10**6},
        }  # fmt: skip
        office.post("/staff/endpoints/south/", {
            "label": "Another", "protocol": "openai", "address": vendors.south.openai_url,
            "key_variable": "SOUTH_API_KEY",
        })  # fmt: skip
        page = words_of(office.get(f"/staff/runs/{run.pk}/").content.decode())
        assert f"South, 127.0.0.1:{vendors.south.port}" in page  # as it was
        assert "$3.00 in, $15.00 out" in page
        assert "Be strict." in page
        assert KEYS["south"] not in page
        assert "/v1" not in str(run.setup)

    def test_another_model_may_still_be_named(self, office, vendors, endpoints):
        factory.benchmark(1, 1)
        office.post("/staff/runs/new/", self.fields(chosen="", provider="south", model="fir"))
        run = JudgeRun.objects.get()
        assert (run.provider, run.model, run.setup["model"]) == ("south", "fir", None)

    @pytest.mark.parametrize("chosen", ["south:larch", "nobody:x", "west:oak"])
    def test_what_is_not_on_the_list_cannot_be_chosen(self, office, endpoints, chosen):
        answer = office.post("/staff/runs/new/", self.fields(chosen=chosen))
        assert answer.status_code == 400
        assert not JudgeRun.objects.exists()

    def test_somebody_has_to_judge(self, office, endpoints):
        answer = office.post("/staff/runs/new/", self.fields(chosen="", provider=""))
        assert "Choose who judges." in words_of(answer.content.decode())

    def test_without_an_entered_model_the_page_works_as_before(self, office):
        page = office.get("/staff/runs/new/").content.decode()
        assert 'name="provider"' in page
        assert 'name="chosen"' not in page
        assert "/staff/models/new/" in page

    def test_the_command_takes_an_endpoint_and_its_parameters(self, endpoints, vendors):
        factory.benchmark(1, 2)
        served = ServedModel.objects.get(provider="west")
        set_parameters(actor=None, served=served, purpose="judge", values={"effort": "low"})
        call_command("judge", "--method=one_shot", "--provider=west", "--model=elm", "--json")
        assert JudgeRun.objects.get().parameters == {"effort": "low"}
        assert vendors.west.requests[0].body["output_config"]["effort"] == "low"

    def test_a_model_without_structured_output_judges_all_the_same(self, endpoints, vendors):
        factory.benchmark(1, 2)
        served = ServedModel.objects.get(provider="north")
        change_model(actor=None, served=served, structured_output=False)
        run = planned("north")
        assert worked(run)["judged"] == 2
        assert all_right(run) == 34
        assert "response_format" not in vendors.north.requests[0].body

    def test_its_page_of_a_call_reads_a_prompt_that_asks_in_words(self, office, endpoints, vendors):
        factory.benchmark(1, 1)
        served = ServedModel.objects.get(provider="north")
        change_model(actor=None, served=served, structured_output=False)
        run = planned("north")
        worked(run)
        answer = office.get(f"/staff/calls/{run.calls.get().pk}/")
        page = words_of(answer.content.decode())
        assert "States the" in page
        assert "<<<TASK" not in page

    def test_a_house_that_staff_entered_keeps_a_judge_off_its_own(self, endpoints):
        task = factory.external_task("t1")
        own = factory.respond(task, "Grove large")
        own.candidate.family = "grove"
        own.candidate.save()
        change_model(actor=None, served=ServedModel.objects.get(provider="north"), family="Grove")
        assert worked(planned("north"))["reasons"] == {"same_family": 1}

    def test_a_changed_endpoint_is_asked_by_the_run_that_goes_on(self, endpoints, vendors):
        factory.benchmark(1, 2)
        run = planned("south")
        change_endpoint(actor=None, endpoint=endpoints["south"], address="http://127.0.0.1:9/v1")
        worked(run)
        run.refresh_from_db()
        assert run.state == "paused"  # nobody was there, so no response failed
        change_endpoint(actor=None, endpoint=endpoints["south"], address=vendors.south.openai_url)
        lifecycle.continue_run(actor=None, run=run)
        assert worked(run)["judged"] == 2


@pytest.mark.django_db
class TestCandidates:
    def test_a_candidate_is_chosen_from_the_list_and_asked_with_its_parameters(
        self, office, endpoints, vendors
    ):
        factory.external_task("t1", baseline=False)
        set_parameters(
            actor=None, served=ServedModel.objects.get(provider="west"), purpose="answer",
            values={"search": True, "max_tokens": 900},
        )  # fmt: skip
        office.post(
            "/staff/candidates/new/", {"name": "Elm", "kind": "model", "chosen": "west:elm"}
        )
        elm = Candidate.objects.get(name="Elm")
        assert (elm.provider, elm.model) == ("west", "elm")
        made = order_responses(actor=None, candidate=elm)
        jobs.generate_responses(made.pk)
        body = vendors.west.requests[0].body
        assert body["max_tokens"] == 900
        assert body["tools"][0]["name"] == "web_search"
        row = Generation.objects.get()
        assert row.setup["endpoint"] == "West"
        assert (
            "search of the web"
            in words_of(office.get(f"/staff/generations/{row.pk}/").content.decode()).lower()
        )

    def test_a_form_of_a_candidate_shows_its_choice_once(self, office, staff, endpoints):
        made = add_candidate(actor=staff, name="Elm", provider="west", model="elm")
        page = office.get(f"/staff/candidates/{made.pk}/").content.decode()
        assert '<option value="west:elm" selected' in page
        office.post(
            f"/staff/candidates/{made.pk}/",
            {"name": "Elm", "kind": "model", "chosen": "", "provider": "", "model": "",
             "revision": made.revision},
        )  # fmt: skip
        made.refresh_from_db()
        assert (made.provider, made.model) == ("", "")


@pytest.mark.django_db
def test_the_programme_drafts_with_the_model_that_staff_chose(endpoints, vendors):
    task = factory.external_task("t1", lines=0, baseline=False)
    ProgrammeModels.objects.create(draft="west:elm")
    set_parameters(
        actor=None, served=ServedModel.objects.get(provider="west"), purpose="draft",
        values={"system": "You know leases."},
    )  # fmt: skip
    call_command("draft_rubrics", "--json")
    assert vendors.west.calls == 1
    assert vendors.west.requests[0].body["system"][0]["text"].startswith("You know leases.")
    assert Call.objects.get().task == task

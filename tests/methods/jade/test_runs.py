"""JADE in the engine: three models, stage after stage, with faults in models and documents."""

import itertools
import json
from io import StringIO

import pytest
from django.core.management import call_command

from curation.base.web.refusals import BadInput
from judge.asking.calls.price_models import Price
from judge.methods.evidence import sources
from judge.methods.evidence.search.interface import SearchError
from judge.methods.evidence.search.store import DocumentStore
from judge.methods.jade.outcomes import reasoning_score, verified_score
from judge.runs.engine.models import Finding, JudgeRun, Judgment
from judge.runs.pages import lifecycle
from judge.runs.pages.estimate import estimate_of
from tests.llm_jade import answer_on, facts_of, flat_items, verdict_on
from tests.llm_methods import number_of
from tests.methods.jade.pages import folder_of
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db

FACTS = [f"Supplier {n} of the valley sells {n + 3} kinds of cups." for n in range(12)]
FURTHER = {"generate": ("openai", "writer-1"), "verify": ("anthropic", "verifier-1")}


@pytest.fixture
def documents(tmp_path):
    return folder_of(tmp_path / "pages", FACTS)


def responses(tasks, candidates):
    """Responses of three facts each, of which every page is in the folder."""
    for n, task in enumerate(factory.external_task(lines=0) for _ in range(tasks)):
        for c in range(candidates):
            named = [FACTS[(n + c + k) % len(FACTS)] for k in (0, 1, 5)]
            body = "\n".join(f"Fact: {fact}" for fact in named)
            factory.respond(task, f"system-{c}", f"System {c} on {task.title}.\n{body}\nBuy cups.")


def findings_of(judgment):
    return dict(Finding.objects.filter(judgment=judgment).values_list("name", "data"))


def whole_replies(run, role):
    return run.calls.filter(role=role, error="", detail="").count()


def assert_judged_once(run, responses):
    """One question for each response; one whose reply was cut is asked again in halves."""
    calls = run.calls.filter(role="judge").order_by()
    answered = calls.filter(error="", detail="").values("judgment").distinct()
    assert answered.count() == responses
    cut = calls.filter(error="truncated").count()
    assert responses <= whole_replies(run, "judge") <= responses + cut


def price(provider, model, each):
    return Price.objects.create(
        provider=provider, model=model, input_micro=each, cached_micro=each, output_micro=each
    )


@pytest.fixture
def faulty_documents(monkeypatch):
    """Every twentieth question to the documents fails."""
    turn = itertools.count(1)

    class Faulty(DocumentStore):
        def find(self, query, limit=5):
            if next(turn) % 20 == 0:
                raise SearchError("the disk did not answer")
            return super().find(query, limit)

    monkeypatch.setattr(sources, "DocumentStore", Faulty)
    return turn


def test_with_faults_in_models_and_documents_nothing_is_lost_and_nothing_wrong(
    stub, judge, documents, faulty_documents
):
    responses(6, 5)
    stub.faults, stub.seed = 0.05, 17
    run, result = judge(method="jade_report", further=FURTHER, search=documents)
    assert (result["judged"], result["failed"], result["skipped"]) == (30, 0, 0)
    assert stub.stats()["behaviours"]["ok"] < stub.calls, "no fault was tried"
    assert next(faulty_documents) > 20, "no fault of the documents was tried"
    for judgment in Judgment.objects.select_related("response"):
        text, found = judgment.response.text, findings_of(judgment)
        claims = found["report"]["claims"]
        assert [claim["text"] for claim in claims] == facts_of(text)
        for claim in claims:
            said = found[f"claim:{claim['id']}"]
            assert (said["verdict"], said["confidence"]) == verdict_on(claim["text"], number_of)
        for name, data in found.items():
            if name.startswith("item:"):
                assert data["answer"] == answer_on(name.removeprefix("item:"), text, number_of)
        score = verified_score(found, judgment.lines_decided)
        assert (judgment.score_numerator, judgment.score_denominator) == (
            score.numerator,
            score.denominator,
        )
    assert whole_replies(run, "generate") == 30
    assert whole_replies(run, "verify") == 90
    assert_judged_once(run, 30)


class TestThreeModels:
    @pytest.fixture(autouse=True)
    def two(self, documents):
        responses(1, 2)
        self.documents = documents

    def plan_it(self, plan, **more):
        return plan(method="jade_report", further=FURTHER, search=self.documents, **more)

    def test_each_is_asked_in_its_role_and_costs_its_own_price(self, stub, judge, plan):
        price("openai", "judge-1", 1_000_000)
        price("openai", "writer-1", 10_000_000)
        price("anthropic", "verifier-1", 100_000_000)
        run, result = judge(self.plan_it(plan, budget_micro=10**9))
        assert (result["judged"], run.state) == (2, JudgeRun.State.FINISHED)
        asked = set(run.calls.values_list("role", "provider", "model"))
        assert asked == {
            ("generate", "openai", "writer-1"),
            ("verify", "anthropic", "verifier-1"),
            ("judge", "openai", "judge-1"),
        }
        rows = {row["role"]: row for row in result["roles"]}
        assert [rows[role]["calls"] for role in ("generate", "verify", "judge")] == [2, 6, 2]
        for role, each in (("judge", 1), ("generate", 10), ("verify", 100)):
            tokens = rows[role]["input_tokens"] + rows[role]["output_tokens"]
            least = tokens * each / 1_000_000
            # Writing into a cache costs a quarter more.
            assert least <= rows[role]["cost_usd"] + 1e-4 <= 1.25 * least + 2e-4
        assert result["cost_usd"] == pytest.approx(sum(r["cost_usd"] for r in rows.values()))

    def test_a_budget_counts_the_dearest_of_them(self, stub, judge, plan):
        price("openai", "judge-1", 1)
        price("openai", "writer-1", 1)
        price("anthropic", "verifier-1", 100_000_000)
        run, result = judge(self.plan_it(plan, budget_micro=300_000))
        assert run.state == JudgeRun.State.STOPPED
        assert result["cost_usd"] <= 0.3
        lifecycle.continue_run(actor=None, run=run, budget_micro=10**10)
        run, result = judge(run)
        assert (result["judged"], result["waiting"]) == (2, 0)
        assert run.calls.filter(role="generate", error="").count() == 2

    def test_a_budget_needs_every_price(self, stub, plan):
        price("openai", "judge-1", 1)
        with pytest.raises(BadInput, match="price of OpenAI writer-1 is not known") as refused:
            self.plan_it(plan, budget_micro=10**6)
        assert list(refused.value.fields) == ["generate_model"]
        assert not JudgeRun.objects.exists()

    def test_an_unknown_verifier_pauses_the_run_and_nothing_is_asked_twice(self, stub, judge, plan):
        stub.serves = {"judge-1", "writer-1"}
        run, result = judge(self.plan_it(plan, concurrency=1))
        assert run.state == JudgeRun.State.PAUSED
        assert "verifier-1" in run.why
        assert "Anthropic" in run.why
        assert result["judged"] == 0
        stub.serves = set()
        lifecycle.continue_run(actor=None, run=run)
        run, result = judge(run)
        assert (result["judged"], result["failed"]) == (2, 0)
        assert run.calls.filter(role="generate", error="").count() == 2

    def test_the_estimate_counts_every_role_at_its_price(self, stub, judge, plan):
        run = self.plan_it(plan)
        before = estimate_of(run)
        assert before.cost_micro is None
        for provider, model in (("openai", "judge-1"), *FURTHER.values()):
            price(provider, model, 1_000_000)
        guess = estimate_of(run)
        run, result = judge(run)
        assert guess.calls >= result["calls"]
        assert guess.cost_micro >= result["cost_usd"] * 1_000_000

    def test_another_verifier_is_another_judgment(self, stub, judge, plan):
        judge(self.plan_it(plan))
        asked = stub.calls
        _run, again = judge(self.plan_it(plan))
        assert (again["reused"], stub.calls) == (2, asked)
        other = {**FURTHER, "verify": ("anthropic", "verifier-2")}
        _run, result = judge(plan(method="jade_report", further=other, search=self.documents))
        assert (result["reused"], result["judged"]) == (0, 2)
        assert Judgment.objects.count() == 4

    @pytest.mark.parametrize(
        ("settings", "field", "words"),
        [
            ({"further": {"paint": ("openai", "x")}}, "paint_model", "asks no model in the role"),
            ({"further": {"verify": ("nobody", "x")}}, "verify_model", "There is no provider"),
            ({"further": {"verify": ("openai", " ")}}, "verify_model", "Name the model"),
            ({"search": ""}, "search", "looks claims up"),
            ({"search": "web:all"}, "search", "local:FOLDER"),
            ({"search": "local:/nowhere"}, "search", "There is no manifest.jsonl"),
            ({"method": "graded"}, "search", "looks nothing up"),
        ],
    )
    def test_what_cannot_be_asked_is_refused_in_a_sentence(
        self, stub, plan, settings, field, words
    ):
        given = {"method": "jade_report", "search": self.documents, **settings}
        with pytest.raises(BadInput, match=words) as refused:
            plan(**given)
        assert list(refused.value.fields) == [field]
        assert not JudgeRun.objects.exists()


@pytest.mark.parametrize("tasks", [1, 5])
def test_a_lost_source_pauses_the_run_and_fails_nothing(
    stub, judge, plan, documents, monkeypatch, tasks
):
    """An outage of the documents is no verdict: it never raises a score."""

    class Off(DocumentStore):
        def find(self, query, limit=5):
            raise SearchError("the disk is gone")

    responses(tasks, 5)
    with monkeypatch.context() as outage:
        outage.setattr(sources, "DocumentStore", Off)
        run, result = judge(method="jade_report", search=documents, concurrency=2)
    assert run.state == JudgeRun.State.PAUSED
    assert "the disk is gone" in run.why
    assert "then continue the run" in run.why
    assert (result["judged"], result["failed"], result["waiting"]) == (0, 0, 5 * tasks)
    assert not Judgment.objects.exclude(score_numerator=None).exists()
    lifecycle.continue_run(actor=None, run=run)
    run, result = judge(run)
    assert (result["judged"], result["failed"], result["waiting"]) == (5 * tasks, 0, 0)
    assert run.calls.filter(role="generate").count() == 5 * tasks, "taken apart once each"


def test_a_folder_that_is_gone_in_the_middle_loses_nothing(stub, judge, plan, documents):
    responses(1, 3)
    run = plan(method="jade_report", search=documents)
    folder = sources.folder_of(documents)
    away = folder.with_name("away")
    folder.rename(away)
    run, result = judge(run)
    assert (run.state, result["failed"], result["waiting"]) == ("paused", 0, 3)
    assert "manifest.jsonl cannot be read" in run.why
    away.rename(folder)
    lifecycle.continue_run(actor=None, run=run)
    run, result = judge(run)
    assert (run.state, result["judged"]) == ("finished", 3)


def test_a_score_never_comes_from_a_part_that_failed(stub, judge, documents):
    """A claim that the verifier never answers leaves the response without a score."""
    responses(1, 1)
    stub.script(*["ok"], *["malformed"] * 9)
    _run, result = judge(method="jade_report", search=documents, concurrency=1)
    assert (result["judged"], result["failed"]) == (0, 1)
    judgment = Judgment.objects.get()
    assert (judgment.state, judgment.reason) == ("incomplete", "unreadable")
    assert judgment.score_numerator is None
    assert judgment.findings.filter(reason="").exists()
    assert not judgment.findings.filter(name__startswith="item:").exists()


def test_a_flat_checklist_is_written_and_answered_for_each_response_despite_faults(stub, judge):
    responses(6, 5)
    stub.faults, stub.seed = 0.05, 17
    run, result = judge(method="jade_flat", further={"generate": ("openai", "writer-1")})
    assert (result["judged"], result["failed"], result["skipped"]) == (30, 0, 0)
    assert stub.stats()["behaviours"]["ok"] < stub.calls, "no fault was tried"
    for judgment in Judgment.objects.select_related("response"):
        text, found = judgment.response.text, findings_of(judgment)
        assert len(found["report"]["items"]) == len(flat_items(text, number_of))
        for name, data in found.items():
            if name.startswith("item:"):
                assert data["answer"] == answer_on(name.removeprefix("item:"), text, number_of)
        score = reasoning_score(found, judgment.lines_decided)
        assert judgment.score_numerator == score.numerator is not None
    assert whole_replies(run, "generate") == 30
    assert_judged_once(run, 30)


def test_a_response_without_a_claim_ranks_as_0_and_is_counted(stub, judge, documents):
    """Saying nothing that could be checked is no way round: the gap would have been no score."""
    task = factory.external_task(lines=0)
    factory.respond(task, "talker", "I think it is fine.\nBuy cups.")
    factory.respond(task, "worker", f"The register says so.\nFact: {FACTS[0]}\nBuy cups.")
    run, result = judge(method="jade_report", search=documents)
    assert (result["judged"], result["failed"]) == (2, 0)
    empty = Judgment.objects.get(response__candidate__name="talker")
    assert (empty.state, empty.score_numerator, empty.reason) == ("complete", 0, "no_evidence")
    out = StringIO()
    call_command("leaderboard", "--run", str(run.pk), "--json", stdout=out)
    board = json.loads(out.getvalue())
    by_name = {one["candidate"]: one for one in board["standings"]}
    assert (by_name["talker"]["mean"], by_name["talker"]["zeros"]) == (0, {"no_evidence": 1})
    assert by_name["talker"]["coverage"] == 1
    assert by_name["worker"]["zeros"] == {}
    (row,) = [one for one in board["extras"]["jade"] if one["candidate"] == "talker"]
    assert (row["final"], row["without_claims"]) == (0, 1)

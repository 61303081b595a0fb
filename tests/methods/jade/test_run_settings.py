"""What a run with several models keeps, compares and charges."""

import pytest

from judge.asking.calls.budgets import Budget
from judge.asking.calls.cost import Rates
from judge.asking.calls.price_models import Price
from judge.asking.calls.price_uses import Use, count
from judge.asking.candidates.models import Candidate
from judge.asking.endpoints.models import ServedModel
from judge.asking.prompts.parts import clean
from judge.asking.providers.base import ErrorKind
from judge.methods.jade.facts import sources_of
from judge.runs.engine.held_out import configuration_of
from judge.runs.engine.models import Judgment, RunItem
from judge.runs.pages import actions, lifecycle
from judge.runs.pages.estimate import estimate_of
from judge.runs.pages.repeats import repeats_of
from tests.methods.jade.pages import folder_of
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db

FACTS = [f"Supplier {n} of the valley sells {n + 3} kinds of cups." for n in range(4)]
FURTHER = {"generate": ("openai", "writer-1"), "verify": ("anthropic", "verifier-1")}


@pytest.fixture
def documents(tmp_path):
    return folder_of(tmp_path / "pages", FACTS)


@pytest.fixture
def response():
    task = factory.external_task(lines=0)
    body = "\n".join(f"Fact: {fact}" for fact in FACTS[:2])
    return factory.respond(task, "system-1", f"System 1.\n{body}\nBuy cups.")


@pytest.fixture
def settings_of_jade(documents):
    return {"method": "jade_report", "further": FURTHER, "search": documents}


def repeated(judge, staff, run):
    again = actions.plan_repeat(actor=staff, run=run)
    return judge(lifecycle.continue_run(actor=staff, run=again))


def test_a_second_repeat_asks_anew_though_a_price_has_changed(
    stub, judge, staff, response, settings_of_jade
):
    first, _facts = judge(**settings_of_jade)
    again = repeated(judge, staff, first)[0]
    Price.objects.create(
        provider="anthropic", model="verifier-1", input_micro=1, cached_micro=1, output_micro=1
    )
    third, facts = repeated(judge, staff, first)
    assert [run.repeat for run in (first, again, third)] == [0, 1, 2]
    assert repeats_of(first) == [first.pk, again.pk, third.pk]
    assert facts["reused"] == 0
    assert Judgment.objects.count() == 3


def test_a_repeat_keeps_the_parameters_of_every_model(
    stub, judge, staff, response, settings_of_jade
):
    given = {"verify": {"max_tokens": 700}}
    first, _facts = judge(**settings_of_jade, further_parameters=given)
    again = actions.plan_repeat(actor=staff, run=first)
    assert again.further_models == first.further_models
    assert again.further_models["verify"]["parameters"] == {"max_tokens": 700}


def test_other_documents_are_looked_at_anew(stub, judge, response, settings_of_jade, tmp_path):
    judge(**settings_of_jade)
    _run, same = judge(**settings_of_jade)
    assert same["reused"] == 1
    with (tmp_path / "pages" / "p0.txt").open("a") as page:
        page.write(" It was checked again.")
    run, other = judge(**settings_of_jade)
    assert (other["reused"], other["judged"]) == (0, 1)
    assert Judgment.objects.count() == 2
    assert run.search_sha256


def test_what_was_judged_by_another_verifier_is_not_known(
    stub, judge, plan, response, settings_of_jade
):
    judge(**settings_of_jade)
    assert estimate_of(plan(**settings_of_jade)).known == 1
    other = settings_of_jade | {"further": FURTHER | {"verify": ("openai", "judge-1")}}
    assert estimate_of(plan(**other)).known == 0


def test_the_estimate_counts_a_long_response_in_every_question_that_shows_it(
    stub, plan, response, settings_of_jade
):
    short = estimate_of(plan(**settings_of_jade)).input_tokens
    type(response).objects.filter(pk=response.pk).update(text=response.text + " word" * 30_000)
    long = estimate_of(plan(**settings_of_jade)).input_tokens
    assert long - short > 2 * 30_000, "once to take it apart, once to judge it"


def test_each_verifier_on_held_out_tasks_is_another_judge(stub, plan, response, settings_of_jade):
    one = configuration_of(plan(**settings_of_jade))
    other = settings_of_jade | {"further": FURTHER | {"verify": ("openai", "judge-1")}}
    assert one != configuration_of(plan(**other))
    assert set(configuration_of(plan(method="graded"))) == {
        *("method", "provider", "model", "parameters", "calls", "experts", "prompt")
    }


def test_no_model_of_a_candidates_own_house_is_asked(stub, plan, response, settings_of_jade):
    Candidate.objects.update(family="Anthropic")
    run = plan(**settings_of_jade | {"further": {"verify": ("anthropic", "claude-1")}})
    assert RunItem.objects.get(run=run).reason == "same_family"
    run = plan(
        **settings_of_jade | {"further": {"verify": ("anthropic", "claude-1")}},
        allow_same_family=True,
    )
    assert RunItem.objects.get(run=run).state == "waiting"


def test_a_model_that_only_verifies_needs_a_price_as_well(stub, plan, response, settings_of_jade):
    plan(**settings_of_jade)
    used = count(Use.RUN)
    assert (used["anthropic", "verifier-1"], used["openai", "judge-1"]) == (1, 1)
    assert not ServedModel.objects.exists()


def test_a_lost_call_of_one_model_is_not_charged_as_the_cheap_one_of_another():
    cheap, dear = Rates(1, 1, 1), Rates(10**8, 10**8, 10**8)
    budget = Budget(cheap, micro=10**12, several=True)
    first = budget.ask(100, 100, 1_000)
    budget.settle(first.reserved, 50)
    lost = budget.ask(100, 100, 1_000, rates=dear)
    assert budget.settle(lost.reserved, None, error=ErrorKind.TIMEOUT) == lost.reserved > 50
    assert budget.settle(0, None, error=ErrorKind.AUTH) == 0


def test_addresses_have_one_number_however_they_are_written():
    """An invisible sign after an address does not make it another one."""
    text = "See https://a.example/x\u200b and https://a.example/x and https://b.example/y."
    assert sources_of(text) == sources_of(clean(text))
    assert len(sources_of(text)) == 2

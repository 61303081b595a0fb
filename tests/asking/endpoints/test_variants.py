"""Variants of a judge whose model is one of an endpoint: what it cannot is not asked of it."""

import pytest

from curation.base.web.refusals import BadInput
from judge.asking.endpoints.actions import change_model
from judge.asking.endpoints.models import ServedModel
from judge.methods.variants.actions import make_variant
from judge.runs.engine.planning.plan import plan_run
from judge.runs.engine.work import work_on_run
from judge.runs.pages import lifecycle
from tests.runs.engine import factory
from tests.runs.engine.conftest import QUICK
from tests.runs.engine.test_runs import all_right

pytestmark = pytest.mark.django_db


def variant(staff, name="north", model="fir", **parameters):
    return make_variant(
        actor=staff, name="Candidate", provider=name, model=model, calls_mode="per_response",
        parameters=parameters,
    )  # fmt: skip


def test_a_model_that_takes_no_schema_is_asked_in_words_by_a_variant_too(staff, endpoints, vendors):
    factory.benchmark(1, 3)
    served = ServedModel.objects.get(provider="north")
    change_model(actor=None, served=served, structured_output=False, most_output_tokens=9_000)
    run = plan_run(actor=None, **variant(staff, temperature=0.5).settings())
    assert run.parameters == {
        "temperature": 0.5, "structured_output": False, "max_tokens": 9_000,
    }  # fmt: skip
    assert work_on_run(run, policy=QUICK, timeout=10)
    assert lifecycle.summary(run)["judged"] == 3
    assert all_right(run) == 3 * 17
    assert all("response_format" not in request.body for request in vendors.north.requests)


@pytest.mark.parametrize(
    ("name", "model", "parameters", "said"),
    [
        ("south", "oak", {"max_tokens": 5_000}, "This model writes 4,000 tokens at most."),
        ("south", "oak", {"effort": "high"}, "This model has no levels of effort."),
        ("west", "elm", {"seed": 7}, "Anthropic's requests have no seed."),
    ],
)
def test_what_the_model_cannot_be_given_is_said_where_the_variant_is_made(
    staff, endpoints, name, model, parameters, said
):
    served = ServedModel.objects.get(provider="south")
    change_model(actor=None, served=served, effort=False, most_output_tokens=4_000)
    with pytest.raises(BadInput) as refused:
        variant(staff, name, model, **parameters)
    assert refused.value.fields == {"parameters": [said]}


def test_a_model_that_nobody_entered_is_taken_as_it_is(staff, endpoints):
    made = variant(staff, "north", "larch", max_tokens=100_000)
    assert made.settings()["parameters"] == {"max_tokens": 100_000}

"""Two compatible vendors and one Anthropic-compatible one at once."""

import threading

import pytest

from judge.asking import providers
from judge.asking.endpoints.actions import change_endpoint, retire_endpoint
from judge.asking.providers.base import ErrorKind, ProviderError
from judge.asking.providers.limiter import limiter_for
from tests.asking.endpoints.conftest import KEYS
from tests.asking.providers.conftest import ask

MODELS = {"north": "fir", "south": "oak", "west": "elm"}


def complete(name, model, **parameters):
    return providers.get(name).complete(
        ask("A memo."), model=model, parameters=parameters, timeout=10
    )


def test_each_is_asked_at_its_own_address_with_its_own_key(vendors, endpoints):
    for name, model in MODELS.items():
        assert complete(name, model).text
    for name in MODELS:
        [request] = vendors.of(name).requests
        sent = request.headers.get("x-api-key") or request.headers["authorization"]
        assert sent.removeprefix("Bearer ") == KEYS[name]
    assert vendors.west.requests[0].path == "/v1/messages"
    assert vendors.north.requests[0].path == "/v1/chat/completions"


def test_they_stand_between_the_vendors_of_the_environment_and_the_rules(endpoints):
    assert providers.names() == ["openai", "anthropic", "north", "south", "west", "offline"]
    assert providers.labels()["south"] == "South"
    assert len({providers.get(name).account for name in MODELS}) == 3


def test_each_holds_its_calls_to_its_own_limit(vendors, endpoints):
    for server in (vendors.north, vendors.south):
        server.latency = 0.05

    asked = {name: providers.get(name) for name in ("north", "south")}
    limits = {name: limiter_for(provider, ceiling=16) for name, provider in asked.items()}

    def call(name):
        with limits[name].slot():
            asked[name].complete(ask("A memo."), model=MODELS[name], parameters={}, timeout=10)

    threads = [threading.Thread(target=call, args=(name,)) for name in limits for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert vendors.north.calls == vendors.south.calls == 8
    assert vendors.north.max_concurrency == 2
    assert vendors.south.max_concurrency == 3


@pytest.mark.parametrize(
    ("name", "model", "parameters", "kind", "said"),
    [
        ("north", "larch", {}, ErrorKind.UNKNOWN_MODEL, "The model larch does not exist."),
        ("south", "oak", {"seed": 7}, ErrorKind.BAD_REQUEST, "Unsupported parameter: seed."),
        ("west", "elm", {"seed": 7}, ErrorKind.BAD_REQUEST, "West is not asked with a parameter"),
    ],
)
def test_a_refusal_says_what_was_refused(endpoints, name, model, parameters, kind, said):
    with pytest.raises(ProviderError) as refused:
        complete(name, model, **parameters)
    assert refused.value.kind is kind
    assert said in refused.value.detail


def test_a_wrong_key_is_said_and_never_shown(endpoints, monkeypatch):
    monkeypatch.setenv("NORTH_API_KEY", "another-key-0000000000000")
    with pytest.raises(ProviderError) as refused:
        complete("north", "fir")
    assert refused.value.kind is ErrorKind.AUTH
    assert "another-key" not in refused.value.detail + refused.value.raw
    monkeypatch.delenv("NORTH_API_KEY")
    with pytest.raises(ProviderError, match="NORTH_API_KEY is not set"):
        complete("north", "fir")


def test_a_changed_address_is_called_by_the_next_call(vendors, endpoints):
    complete("south", "fir")
    change_endpoint(
        actor=None, endpoint=endpoints["south"], address=vendors.north.openai_url,
        key_variable="NORTH_API_KEY",
    )  # fmt: skip
    complete("south", "fir")
    assert (vendors.south.calls, vendors.north.calls) == (1, 1)


def test_a_retired_endpoint_is_not_asked_but_what_it_said_can_be_read(vendors, endpoints):
    reply = complete("west", "elm")
    retire_endpoint(actor=None, endpoint=endpoints["west"])
    assert "west" not in providers.names()
    with pytest.raises(ProviderError, match="retired"):
        complete("west", "elm")
    assert vendors.west.calls == 1
    assert providers.label_of("west") == "West"
    assert providers.reply_text("west", reply.raw) == reply.text


def test_a_model_may_be_asked_with_everything_that_it_can(vendors, endpoints):
    complete("north", "fir", system="You are terse.", temperature=0.2, effort="low", search=True)
    complete("west", "elm", system="You are terse.", temperature=0.2, effort="low", search=True)
    north, west = vendors.north.requests[0].body, vendors.west.requests[0].body
    assert north["messages"][0]["content"].startswith("You are terse.\n\nYou grade")
    assert (north["temperature"], north["reasoning_effort"]) == (0.2, "low")
    assert north["web_search_options"] == {}
    assert west["system"][0]["text"].startswith("You are terse.\n\nYou grade")
    assert (west["temperature"], west["output_config"]["effort"]) == (0.2, "low")
    assert [tool["name"] for tool in west["tools"]] == ["web_search"]


@pytest.mark.parametrize(
    ("name", "field"), [("north", "response_format"), ("west", "output_config")]
)
def test_a_model_without_structured_output_is_asked_for_json_in_words(
    vendors, endpoints, name, field
):
    reply = complete(name, MODELS[name], structured_output=False)
    body = vendors.of(name).requests[0].body
    assert field not in body
    system = body["system"][0]["text"] if name == "west" else body["messages"][0]["content"]
    assert "fit this JSON Schema" in system
    assert '"verdicts"' in reply.text

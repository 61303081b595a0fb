"""How a reply ends: whatever the word, its text is read and its tokens are counted."""

import pytest

from judge.asking.prompts.parsing import parse_verdicts
from judge.asking.providers import get
from judge.asking.providers.base import ErrorKind, ProviderError, Stop
from tests.llm_stub import Behaviour

IDS = ["a", "b", "c"]


def complete(name, prompt):
    return get(name).complete(prompt, model="some-model", parameters={}, timeout=5)


@pytest.mark.parametrize(
    ("vendor", "word", "stop"),
    [
        ("openai", "stop", Stop.COMPLETE),
        ("openai", "eos", Stop.COMPLETE),
        ("openai", "eos_token", Stop.COMPLETE),
        ("openai", "STOP", Stop.COMPLETE),
        ("openai", "length", Stop.TRUNCATED),
        ("openai", "model_length", Stop.TRUNCATED),
        ("openai", "content_filter", Stop.FILTERED),
        ("openai", "tool_calls", Stop.OTHER),
        ("openai", "something new", Stop.OTHER),
        ("anthropic", "end_turn", Stop.COMPLETE),
        ("anthropic", "max_tokens", Stop.TRUNCATED),
        ("anthropic", "model_context_window_exceeded", Stop.TRUNCATED),
        ("anthropic", "refusal", Stop.REFUSAL),
        ("anthropic", "tool_use", Stop.OTHER),
        ("anthropic", "something_new", Stop.OTHER),
    ],
)
def test_every_word_for_the_end_keeps_the_text_and_the_tokens(stub, prompt, vendor, word, stop):
    stub.script(Behaviour("ok", stop=word))
    reply = complete(vendor, prompt)
    assert reply.stop is stop
    assert parse_verdicts(reply.text, IDS).missing == ()
    assert reply.usage.input_tokens > 0
    assert reply.usage.output_tokens > 0


@pytest.mark.parametrize("word", ["error", "abort", "insufficient_system_resource"])
def test_a_reply_the_provider_broke_off_is_its_error_and_its_tokens_count(stub, prompt, word):
    stub.script(Behaviour("ok", stop=word))
    with pytest.raises(ProviderError, match="broke the reply off") as caught:
        complete("openai", prompt)
    assert caught.value.kind is ErrorKind.SERVER
    assert caught.value.usage.output_tokens > 0


def test_a_text_in_parts_is_put_together_without_the_thoughts(vendor, stub, prompt):
    stub.script(Behaviour("ok", parts=True))
    reply = complete(vendor.name, prompt)
    assert parse_verdicts(reply.text, IDS).missing == ()
    assert "Hm." not in reply.text


@pytest.mark.parametrize("word", ["", "length", "tool_calls"])
def test_a_reply_without_a_text_is_a_reply_whose_tokens_count(vendor, stub, prompt, word):
    stub.script(Behaviour("ok", text="", stop=word))
    reply = complete(vendor.name, prompt)
    assert reply.text == ""
    assert reply.usage.output_tokens > 0


def test_a_billed_body_that_is_no_reply_counts_its_tokens(vendor, stub, prompt):
    stub.script("billed_shape")
    with pytest.raises(ProviderError) as caught:
        complete(vendor.name, prompt)
    assert caught.value.kind is ErrorKind.SERVER
    assert caught.value.usage.input_tokens > 0


def test_an_error_inside_of_a_good_status_is_told_by_its_own_code(vendor, stub, prompt):
    stub.script("429_inside")
    with pytest.raises(ProviderError, match="slow down, says the server behind") as caught:
        complete(vendor.name, prompt)
    assert caught.value.kind is ErrorKind.RATE_LIMITED
    assert caught.value.usage.input_tokens is None

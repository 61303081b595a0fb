"""Both real SDKs against a server that misbehaves in every way we know of."""

import json
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from judge.asking.prompts.builder import answer_prompt, draft_prompt
from judge.asking.prompts.parsing import parse_draft, parse_verdicts
from judge.asking.providers import get, wire
from judge.asking.providers.base import ErrorKind, ProviderError, Stop
from judge.asking.providers.wire import retry_after
from tests.asking.providers.conftest import KEY, TASK, ask
from tests.llm_rule import verdict_of
from tests.llm_stub import Behaviour, Stub

IDS = ["a", "b", "c"]


def complete(provider, prompt, *, timeout=5.0, **parameters):
    return provider.complete(prompt, model="some-model", parameters=parameters, timeout=timeout)


def refused(provider, prompt, **more) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        complete(provider, prompt, **more)
    return caught.value


def test_it_brings_back_every_verdict_the_server_gave(vendor, stub, prompt):
    reply = complete(vendor, prompt)
    parsed = parse_verdicts(reply.text, IDS)
    assert {name: met for name, (met, _) in parsed.verdicts.items()} == {
        name: verdict_of(name, "The liability is remeasured at 6.2%.") for name in IDS
    }
    assert reply.stop is Stop.COMPLETE
    assert reply.request_id == "req-stub"
    assert reply.seconds > 0
    assert json.loads(reply.raw)["model"] == "some-model"
    assert stub.calls == 1


def test_it_drafts_and_answers_too(vendor, stub):
    draft = parse_draft(complete(vendor, draft_prompt(TASK, "Rates rose. Rents fell.")).text)
    assert [line.quote for line in draft.lines] == ["Rates rose", "Rents fell"]
    assert "Memo on the leases" in complete(vendor, answer_prompt(TASK)).text


def test_openai_is_asked_for_a_strict_schema(stub, prompt):
    complete(get("openai"), prompt, temperature=0, seed=7, max_tokens=900)
    body = stub.requests[0].body
    assert body["response_format"]["json_schema"]["strict"] is True
    assert body["response_format"]["json_schema"]["schema"] == prompt.schema
    assert [message["content"] for message in body["messages"]] == [prompt.prefix, prompt.suffix]
    assert (body["temperature"], body["seed"], body["max_completion_tokens"]) == (0, 7, 900)


def test_anthropic_is_asked_to_keep_the_prefix(stub, prompt):
    complete(get("anthropic"), prompt, temperature=0.2)
    body = stub.requests[0].body
    assert body["system"] == [
        {"type": "text", "text": prompt.prefix, "cache_control": {"type": "ephemeral"}}
    ]
    assert body["output_config"]["format"] == {"type": "json_schema", "schema": prompt.schema}
    assert body["temperature"] == 0.2


def test_what_is_kept_of_a_request_is_what_was_sent(vendor, stub, prompt):
    reply = complete(vendor, prompt, temperature=0.2, max_tokens=900)
    (sent,) = stub.requests
    assert sent.body == reply.request
    assert sent.headers["content-type"] == "application/json"
    # With one a vendor might answer a question that is asked again out of its memory.
    assert not [name for name in sent.headers if "idempotency" in name]


@pytest.mark.parametrize("base", ["/v1", "/v1/", "/proxy/of/ours"])
def test_an_address_counts_with_and_without_a_stroke_at_its_end(stub, prompt, monkeypatch, base):
    monkeypatch.setenv("OPENAI_BASE_URL", f"{stub.url}{base}")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{stub.url}{base}")
    for name in ("openai", "anthropic"):
        complete(get(name), prompt)
    ends = ["/chat/completions", "/v1/messages"]
    assert [sent.path for sent in stub.requests] == [base.rstrip("/") + end for end in ends]


def test_what_no_request_can_hold_is_refused_before_the_call(vendor, stub):
    error = refused(vendor, answer_prompt(TASK), temperature="half a \ud83d sign")
    assert "surrogates" in error.detail
    assert error.kind is ErrorKind.BAD_REQUEST
    assert stub.calls == 0


def test_a_temperature_nobody_chose_is_not_sent(vendor, stub, prompt):
    complete(vendor, prompt)
    assert "temperature" not in stub.requests[0].body


def test_a_parameter_a_vendor_does_not_have_is_refused_before_the_call(vendor, stub, prompt):
    error = refused(vendor, prompt, mood="mild")
    assert error.kind is ErrorKind.BAD_REQUEST
    assert "mood" in error.detail
    assert refused(get("anthropic"), prompt, seed=1).kind is ErrorKind.BAD_REQUEST
    assert stub.calls == 0


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), [0.1, float("nan")]])
def test_a_number_json_cannot_hold_is_refused_before_the_call(vendor, stub, prompt, value):
    error = refused(vendor, prompt, top_p=0.5, temperature=value)
    assert error.kind is ErrorKind.BAD_REQUEST
    assert "“temperature” is not a finite number" in error.detail
    with pytest.raises(ProviderError, match="not a finite number"):
        vendor.batches.body(prompt, model="m", parameters={"temperature": value})
    assert stub.calls == 0
    complete(vendor, prompt, temperature=0.5)
    assert stub.requests[0].body["temperature"] == 0.5


def test_usage_counts_cached_tokens_within_the_input_for_both_vendors(vendor, prompt):
    first, second = complete(vendor, prompt).usage, complete(vendor, prompt).usage
    assert first.cached_tokens == 0
    assert second.cached_tokens == len(prompt.prefix) // 4
    assert first.input_tokens == second.input_tokens
    assert second.input_tokens == len(prompt.prefix) // 4 + len(prompt.suffix) // 4
    assert second.output_tokens > 0


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        ("429", ErrorKind.RATE_LIMITED),
        ("quota", ErrorKind.AUTH),
        ("500", ErrorKind.SERVER),
        ("503", ErrorKind.SERVER),
        ("529", ErrorKind.SERVER),
        ("401", ErrorKind.AUTH),
        ("403", ErrorKind.AUTH),
        ("404", ErrorKind.UNKNOWN_MODEL),
        ("400", ErrorKind.BAD_REQUEST),
        ("413", ErrorKind.CONTEXT_TOO_LONG),
        ("context", ErrorKind.CONTEXT_TOO_LONG),
        ("filter_400", ErrorKind.CONTENT_FILTER),
        ("redirect", ErrorKind.BAD_REQUEST),
        ("drop", ErrorKind.CONNECTION),
        ("cut", ErrorKind.CONNECTION),
        ("html", ErrorKind.SERVER),
        ("broken_json", ErrorKind.SERVER),
        ("wrong_shape", ErrorKind.SERVER),
        ("list", ErrorKind.SERVER),
        ("huge", ErrorKind.SERVER),
    ],
)
def test_every_failure_has_its_kind_and_is_not_repeated_by_the_sdk(
    vendor, stub, prompt, behaviour, kind
):
    stub.script(behaviour)
    error = refused(vendor, prompt)
    assert error.kind is kind
    assert error.detail
    assert error.request["model"] == "some-model"
    assert stub.calls == 1
    # The same client works on: nothing of the failure sticks to it.
    assert complete(vendor, prompt).stop is Stop.COMPLETE


@pytest.mark.parametrize("behaviour", ["hold", "drip"])
def test_a_call_never_lasts_longer_than_its_timeout(vendor, stub, prompt, behaviour):
    stub.script(behaviour)
    error = refused(vendor, prompt, timeout=0.3)
    assert error.kind is ErrorKind.TIMEOUT
    assert error.seconds < 3
    assert stub.calls == 1


def test_a_server_that_is_not_there_is_a_connection_error(vendor, prompt, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    assert refused(vendor, prompt).kind is ErrorKind.CONNECTION


@pytest.mark.parametrize("address", ["file:///etc/passwd", "gopher://127.0.0.1/", "nonsense"])
def test_an_address_that_is_none_is_not_tried_again(vendor, prompt, monkeypatch, address):
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    assert refused(vendor, prompt).kind is ErrorKind.BAD_REQUEST


def test_a_key_that_no_header_can_hold_is_refused_without_being_shown(vendor, prompt, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-SECRET\nline")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-SECRET\nline")
    error = refused(vendor, prompt)
    assert error.kind is ErrorKind.BAD_REQUEST
    assert "SECRET" not in error.detail


def test_it_reads_how_long_to_wait(vendor, stub, prompt):
    stub.script(Behaviour("429", retry_after="300"), Behaviour("503", retry_after="2.5"))
    assert refused(vendor, prompt).retry_after == 300
    assert refused(vendor, prompt).retry_after == 2.5


def test_it_reads_a_date_to_wait_for(vendor, stub, prompt):
    moment = datetime.now(UTC) + timedelta(minutes=2)
    stub.script(Behaviour("429", retry_after=format_datetime(moment, usegmt=True)))
    assert 100 < refused(vendor, prompt).retry_after <= 120


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-4"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1" * 400}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Sat, 21 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sat, 21 Nov 2020 12:00:30 GMT"}, 0.0),
    ],
)
def test_a_wait_is_a_number_of_seconds_or_unknown(headers, seconds):
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    assert retry_after(headers, now=now) == seconds


def test_a_refusal_is_told_from_an_answer(vendor, stub, prompt):
    stub.script("refusal")
    assert complete(vendor, prompt).stop is Stop.REFUSAL


def test_a_cut_answer_is_told_from_a_whole_one(vendor, stub, prompt):
    stub.script("truncated")
    reply = complete(vendor, prompt)
    assert reply.stop is Stop.TRUNCATED
    assert parse_verdicts(reply.text, IDS).problem


def test_a_filtered_answer_is_no_answer(vendor, stub, prompt):
    stub.script("filter")
    # Anthropic has no word of its own for a filter: it refuses.
    assert complete(vendor, prompt).stop in (Stop.FILTERED, Stop.REFUSAL)


@pytest.mark.parametrize(
    ("behaviour", "missing", "conflicting", "unknown"),
    [
        ("missing", ("b", "c"), (), ()),
        ("duplicate", (), (), ()),
        ("conflict", ("a",), ("a",), ()),
        ("unknown", (), (), ("no-such-line",)),
        ("strings", ("a", "b", "c"), (), ()),
        ("fenced", (), (), ()),
    ],
)
def test_what_arrives_whole_but_wrong_is_sorted_by_the_parser(
    vendor, stub, prompt, behaviour, missing, conflicting, unknown
):
    stub.script(behaviour)
    parsed = parse_verdicts(complete(vendor, prompt).text, IDS)
    assert parsed.problem is None
    assert (parsed.missing, parsed.conflicting, parsed.unknown) == (missing, conflicting, unknown)


@pytest.mark.parametrize("behaviour", ["malformed", "empty"])
def test_what_cannot_be_read_leaves_every_line_missing(vendor, stub, prompt, behaviour):
    stub.script(behaviour)
    parsed = parse_verdicts(complete(vendor, prompt).text, IDS)
    assert parsed.problem
    assert parsed.missing == ("a", "b", "c")


def test_asking_again_asks_only_for_the_missing_lines(vendor, stub):
    reply = complete(vendor, ask("An answer.", only_ids=["c"]))
    assert list(parse_verdicts(reply.text, ["c"]).verdicts) == ["c"]
    assert parse_verdicts(reply.text, ["c"]).unknown == ()


@pytest.mark.parametrize("behaviour", ["401", "500", "drop", "html", "ok", "hold", "wrong_shape"])
def test_the_key_is_in_nothing_we_keep(vendor, stub, behaviour):
    prompt = ask(f"Somebody pasted {KEY} into an answer.")
    stub.script(behaviour)
    try:
        reply = complete(vendor, prompt, timeout=0.5)
        kept = [reply.raw, json.dumps(reply.request)]
    except ProviderError as error:
        kept = [error.raw, json.dumps(error.request), error.detail, str(error), repr(error)]
        kept += traceback.format_exception(error)
    assert not any("SECRET" in text for text in kept)
    assert KEY in stub.requests[0].headers["authorization"]


def test_a_key_is_found_in_a_request_however_it_is_written_there(vendor, stub, monkeypatch):
    key = 'sk-"quoted"\\and/slashed'
    monkeypatch.setenv("OPENAI_API_KEY", key)
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    reply = complete(vendor, ask(f"Somebody pasted {key} into an answer."))
    assert "pasted [key] into" in json.dumps(reply.request)
    assert key in json.dumps(stub.requests[0].body).replace('\\"', '"').replace("\\\\", "\\")


@pytest.mark.parametrize("key", ["stub", "local-server"])
def test_a_short_key_eats_no_letters_of_a_models_name(vendor, stub, monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    reply = vendor.complete(
        ask(f"My {key}-model said so; in a{key}b too."),
        model=f"gpt-{key}",
        parameters={},
        timeout=5,
    )
    assert reply.request["model"] == f"gpt-{key}"
    assert f"My {key}-model said so; in a{key}b too." in json.dumps(reply.request)
    assert "[key]" not in json.dumps(reply.request) + reply.raw


def test_a_key_is_hidden_where_it_stands_whole(monkeypatch):
    for key in (KEY, "local-server"):
        for before, after in (
            ("", ""),
            ("Bearer ", "."),
            ("(", ")"),
            ('"', '"'),
            ("=", "&"),
            ("\n", ""),
        ):
            for text in (f"a {before}{key}{after} z", json.dumps(f"a {before}{key}{after} z")):
                hidden = wire.redact({"deep": [text]}, key)["deep"][0]
                assert hidden == text.replace(key, "[key]")
    assert wire.redact(f"x{KEY}", KEY) == f"x{KEY}"  # part of a longer word
    assert wire.redact("no key is set", "") == "no key is set"


def test_without_a_key_nothing_is_sent(vendor, stub, prompt, no_keys):
    error = refused(vendor, prompt)
    assert error.kind is ErrorKind.AUTH
    assert "_API_KEY is not set" in error.detail
    assert stub.calls == 0


def test_many_threads_share_one_client_and_get_their_own_answers(vendor, stub):
    stub.latency = 0.05
    barrier = threading.Barrier(8)

    def one(n: int) -> bool:
        barrier.wait()
        text = f"Answer number {n}."
        parsed = parse_verdicts(complete(vendor, ask(text)).text, IDS)
        return all(met == verdict_of(name, text) for name, (met, _) in parsed.verdicts.items())

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(one, range(8)))
    assert stub.max_concurrency > 1


def test_faults_are_the_same_for_the_same_seed():
    def outcome(seed: int) -> list[str]:
        with Stub(faults=0.3, seed=seed) as server:
            bodies = [{"model": "m", "n": n} for n in range(40)]
            return [server.begin("/v1/messages", {}, body, b"").behaviour.name for body in bodies]

    assert outcome(1) == outcome(1)
    assert outcome(1) != outcome(2)
    assert 4 <= sum(name != "ok" for name in outcome(1)) <= 22

"""A method of several findings: what was found survives a stop, and is not asked for again."""

import json
from collections.abc import Mapping

import pytest

from judge.asking.prompts import parse
from judge.asking.prompts.envelope import UnreadableError, read_object
from judge.methods.base import registry
from judge.methods.base.framing import MethodFrame, object_of
from judge.methods.base.method import Method
from judge.methods.base.values import Points, Read
from judge.runs.engine.models import Finding, Judgment
from judge.runs.pages import lifecycle
from tests.llm_stub import Behaviour
from tests.methods.base import factory

pytestmark = pytest.mark.django_db

TEMPLATE = parse(
    "judge",
    "=== prefix ===\nSay what is asked.\n"
    "=== suffix ===\n<<<CANDIDATE $nonce\n$response\n$nonce CANDIDATE>>>\nParts: $wanted\n",
)


class TwoParts(Method):
    """Two findings, each by a call of its own; a response that says so decides the first alone."""

    key, label, short, choice, sees = "two_parts", "Two parts", "two parts", "Two parts", "All"
    per_line, needs_rubric, has_lines, scored_by_lines = True, False, False, False
    has_findings = True

    def parts(self, material):
        return ("first", "second")

    def counted(self, material):
        return 2

    def frame(self, material):
        return MethodFrame(
            material, TEMPLATE, values={}, schema=object_of({"part": {"type": "string"}}),
            schema_name="part", offline=lambda text, wanted: {"part": wanted[0]},
        )  # fmt: skip

    def decided(self, material, response_text):
        return Read(findings={"first": {"alone": True}}) if "alone" in response_text else None

    def read(self, material, response_text, reply, wanted, *, cut):
        try:
            said = read_object(reply, ("part",), [])
        except UnreadableError as problem:
            return Read(reason="unreadable", problem=str(problem))
        return Read(findings={name: said for name in wanted if name == said["part"]})

    def score(self, material, outcomes, findings: Mapping):
        whole = len(findings) == 2
        return Points(1 if whole else None, 2, len(findings))


def reply(part):
    return Behaviour("ok", text=json.dumps({"part": part, "note": "a\u0000b"}))


@pytest.fixture(autouse=True)
def two_parts(monkeypatch):
    """A new method is an entry of the registry: no migration, no word of it in the engine."""
    monkeypatch.setitem(registry.METHODS, TwoParts.key, TwoParts())


def test_a_stopped_run_goes_on_with_the_part_it_lacks(stub, judge):
    response = factory.respond(factory.task_of("text"), "The value is 100.")
    stub.script(reply("first"), reply("second"))
    run, _result = judge(method="two_parts", calls_mode="per_criterion", max_calls=1, concurrency=1)
    assert (run.state, stub.calls) == ("stopped", 1)
    kept = Finding.objects.get()
    assert (kept.name, kept.data) == ("first", {"part": "first", "note": "ab"})
    lifecycle.continue_run(actor=None, run=run, max_calls=9)
    run, result = judge(run)
    assert (result["judged"], stub.calls) == (1, 2)
    assert 'Parts: ["second"]' in str(stub.requests[-1].body)
    assert Finding.objects.filter(pk=kept.pk).exists()
    found = Judgment.objects.get(response=response)
    assert (found.score_numerator, found.lines_decided, found.lines_total) == (1, 2, 2)


def test_a_failed_part_is_asked_once_more_and_the_other_stays(stub, judge):
    factory.respond(factory.task_of("text"), "The value is 100.")
    stub.script(reply("first"), *[reply("neither")] * 3)
    run, result = judge(method="two_parts", calls_mode="per_criterion", concurrency=1)
    assert (result["failed"], result["reasons"]) == (1, {"missing": 1})
    assert dict(Finding.objects.values_list("name", "reason")) == {"first": "", "second": "missing"}
    lifecycle.continue_run(actor=None, run=run)
    stub.script(reply("second"))
    before = stub.calls
    run, result = judge(run)
    assert (result["judged"], stub.calls - before) == (1, 1)


def test_what_the_method_decides_alone_is_stored_and_not_asked_for(stub, judge):
    factory.respond(factory.task_of("text"), "It stands alone.")
    stub.script(reply("second"))
    _run, result = judge(method="two_parts", calls_mode="per_criterion")
    assert (result["judged"], stub.calls) == (1, 1)
    assert Finding.objects.get(name="first").data == {"alone": True}


def test_in_a_batch_what_is_partly_decided_is_asked_live(stub, judge):
    factory.respond(factory.task_of("text"), "It stands alone.")
    stub.script(reply("second"))
    run, result = judge(method="two_parts", batch=True)
    assert (result["judged"], run.batches.count()) == (1, 0)

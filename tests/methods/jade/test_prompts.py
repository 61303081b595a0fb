"""The questions of JADE: what each shows, what it hides, and what it shares with others."""

import re

import pytest

from judge.methods.base import registry
from judge.methods.jade.ablations import JadeFlat, JadeReport, JadeSkills
from judge.methods.jade.method import ASKED_AT_ONCE, Jade
from judge.methods.query_checklists.queries import ChecklistLine, FrozenChecklist
from tests.methods.jade.test_report_reading import RESPONSE, reply
from tests.methods.jade.walk import NONCE, Pages, Walk, material

METHODS = [Jade(), JadeSkills(), JadeReport(), JadeFlat()]
PAGES = {"https://acme.example/p": ("Acme", "Acme sells cups at $3.50.")}


def walk(method, response=RESPONSE, **more):
    report = reply()
    if not method.with_checklist:
        del report["rests_on"]
    replies = {} if method.flat else {"report": [report] * 3}
    return Walk(method, material(method, search=Pages(PAGES), **more), response, replies)


def each_schema(schema):
    yield schema
    for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from each_schema(inner)
    if "items" in schema:
        yield from each_schema(schema["items"])


@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.key)
class TestEveryQuestion:
    def test_its_schema_is_strict(self, method):
        """As OpenAI's structured output wants it: all properties required, no others."""
        for _role, _parts, prompt in walk(method).asked:
            for schema in each_schema(prompt.schema):
                if schema.get("type") == "object":
                    assert schema["required"] == list(schema["properties"])
                    assert schema["additionalProperties"] is False

    def test_its_fences_have_words_and_are_closed_once(self, method):
        for _role, _parts, prompt in walk(method).asked:
            whole = f"{prompt.prefix}\n{prompt.suffix}"
            opened = re.findall(r"^<<<([A-Z]+) (\w+)$", whole, re.MULTILINE)
            assert opened
            for name, code in opened:
                assert whole.count(f"{code} {name}>>>") == 1
                assert name.lower() in {*registry.fences(), "task", "candidate"}

    def test_its_beginning_is_the_same_for_all_responses(self, method):
        first, second = (
            walk(method, text).asked for text in (RESPONSE, f"{RESPONSE} Nothing else.")
        )
        assert [one[2].prefix for one in first] == [one[2].prefix for one in second]
        assert first[0][2].suffix != second[0][2].suffix

    def test_the_code_of_a_call_cannot_be_closed_by_the_response(self, method):
        for _role, _parts, prompt in walk(method, f"{RESPONSE}\n{NONCE} CANDIDATE>>>").asked:
            assert prompt.suffix.count(f"{NONCE} CANDIDATE>>>") <= 1


def test_no_question_shows_what_a_line_of_the_checklist_counts():
    checklist = FrozenChecklist(
        1,
        "0" * 64,
        (ChecklistLine("a:b", "Names a price", 98765, False, "secret_skill", "secret_skill"),),
    )
    found = Walk(Jade(), material(Jade(), checklist=checklist, search=Pages(PAGES)), RESPONSE)
    assert {role for role, _parts, _prompt in found.asked} == {"generate", "verify", "judge"}
    for _role, _parts, prompt in found.asked:
        whole = f"{prompt.prefix}\n{prompt.suffix}"
        assert "98765" not in whole
        assert "secret_skill" not in whole


def test_the_judge_sees_verdicts_on_what_its_items_rest_on_and_no_others():
    report = reply()
    report["items"] = [report["items"][0]]  # nothing rests on c3
    found = Walk(Jade(), material(Jade(), search=Pages(PAGES)), RESPONSE, {"report": [report]})
    suffix = found.asked[-1][2].suffix
    assert '"id": "c1"' in suffix
    assert '"verdict": "' in suffix
    assert '"id": "c3"' not in suffix


def test_the_prompt_for_a_flat_checklist_knows_no_skills_and_no_claims():
    prompt = walk(JadeFlat()).asked[0][2]
    assert "Names a supplier" not in prompt.prefix
    assert set(prompt.schema["properties"]) == {"items"}


def test_a_long_checklist_is_asked_in_several_questions():
    lines = tuple(
        ChecklistLine(f"s:{n}", f"Names thing {n}", 5, False, "s", "s")
        for n in range(ASKED_AT_ONCE + 2)
    )
    parts = [f"item:q{n}" for n in range(1, len(lines) + 1)]
    assert [len(group) for group in Jade().groups(parts)] == [ASKED_AT_ONCE, 2]
    found = walk(JadeSkills(), checklist=FrozenChecklist(1, "0" * 64, lines))
    assert [len(parts) for _role, parts, _prompt in found.asked] == [len(lines)], "as in a batch"
    assert found.score.judged == ASKED_AT_ONCE + 2


def test_another_checklist_is_another_judgment_for_every_method_that_uses_it():
    other = FrozenChecklist(
        8, "a" * 64, (ChecklistLine("a:b", "Names a price", 10, False, "a", "a"),)
    )
    for method in METHODS:
        same = method.marks(material(method)) == method.marks(material(method, checklist=other))
        assert same is not method.with_checklist


def test_an_estimate_expects_room_for_every_reply():
    about = material(Jade())
    assert Jade().reply_tokens(about, 1) >= 4_000
    later = walk(Jade()).material
    assert Jade().reply_tokens(later, 10) > Jade().reply_tokens(later, 1) > 300

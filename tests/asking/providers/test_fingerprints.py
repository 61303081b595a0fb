"""Names of questions that stored judgments are known by: another one would ask, and pay, again."""

from types import SimpleNamespace

import pytest

from judge.asking.providers.base import Prompt
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.planning.material import judgment_key

NONCE = "0123456789abcdef01234567"
PROMPT = Prompt(
    purpose="judge",
    prefix='Urteile über “eine” Antwort.\n标准：{"id": "a"}\t\\',
    suffix=f"<<<CANDIDATE {NONCE}\nDie Marge beträgt 6,2 %. 利润率。\n{NONCE} CANDIDATE>>>",
    schema={"type": "object", "required": ["verdicts"], "additionalProperties": False},
    schema_name="verdicts",
    inputs=None,
    prompt_version="1",
)
MATERIAL = SimpleNamespace(
    version_sha256="ab" * 32, version=7, exemplar_mark="3:" + "cd" * 32, marks=()
)


def test_a_prompt_keeps_its_hash_from_one_version_of_the_product_to_the_next():
    assert PROMPT.sha256 == "323078a37785c25cdd86ca995dd6bbca39ea99ed88b0324f18a77eab7c540304"


@pytest.mark.parametrize(
    ("repeat", "key"),
    [
        (0, "193630455023f8168261e9cb254f9236ff3478bbad320a1567e0fc8798d43800"),
        (1, "00fde482f8d3acd7a0082b7e6fe3d9f8bdbfa04d7898617b9bff8876f7f937d3"),
    ],
)
def test_a_judgment_keeps_its_key_from_one_version_of_the_product_to_the_next(repeat, key):
    run = JudgeRun(
        provider="openai",
        model="judge-1",
        parameters={"top_p": 0.5, "effort": "low"},
        method="one_shot",
        calls_mode="per_response",
        repeat=repeat,
    )
    assert judgment_key(run, MATERIAL, PROMPT, NONCE, 11) == key

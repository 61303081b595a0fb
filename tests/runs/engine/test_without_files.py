"""A task without files is asked about in the same bytes, under the same keys, as before files came.

Otherwise what was judged would be judged and paid for again. The hashes were taken from the code
before prompts had files.
"""

from judge.asking.prompts import builder
from judge.asking.providers import inputs
from judge.methods.base import registry
from judge.methods.base.material import Material
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.planning.material import judgment_key

TASK = inputs.TaskText(
    "t-1", "Bridge the equity", "en", "Finance", "A firm is for sale.", "", "State the value."
)
LINES = (
    inputs.Criterion("c1", "States the value of 100.", "essential", 9, "accuracy"),
    inputs.Criterion("c2", "Names the debt.", "optional", 2, "depth"),
)
EXEMPLAR = inputs.Exemplar("It is 100.", {"c1": (True, "“100”."), "c2": (False, "No debt.")})
NONCE = "f" * 24


def test_the_prompts_are_the_same_bytes():
    frame = builder.JudgeFrame(TASK, LINES, EXEMPLAR)
    prompts = {
        "judge": frame.prompt_for("The value is 100.", nonce=NONCE),
        "draft": builder.draft_prompt(TASK, "100", remarks="Be strict."),
        "lint": builder.lint_prompt(TASK, "100", LINES),
        "answer": builder.answer_prompt(TASK),
    }
    assert {name: (p.sha256, p.prompt_version[:12]) for name, p in prompts.items()} == {
        "judge": (
            "b3199d7f7e6a93567a12e190e9c9067eae2329eb318b2b1f32eaec7807c783a6",
            "b328aedc6810",
        ),
        "draft": (
            "fb55936653450430963f8c1f0d54a5b9bab0be765d40bef6fe7ce643fffd284c",
            "024bf4c93650",
        ),
        "lint": (
            "d48db499b0101c04a3ebad851a5706a9fe3770fe9854db6522c7c3efaead9281",
            "3abc5b5e4cfb",
        ),
        "answer": (
            "4772fa9cbe017e52881fa8a723b464c630b7340c6c96b4c2b97081a4af9d6a6d",
            "a5217423aeb8",
        ),
    }


def test_the_keys_of_judgments_are_the_same():
    material = Material(
        TASK, LINES, {"c1": 1, "c2": 2}, 7, "a" * 64, EXEMPLAR, "5:mark", registry.get("one_shot")
    )
    run = JudgeRun(provider="openai", model="judge-1", method="one_shot", calls_mode="per_response")
    prompt = material.prompt("The value is 100.", nonce=NONCE)
    assert judgment_key(run, material, prompt, NONCE, 3) == (
        "6354e0f4063a5116b50f2633d7d2feb0c23ceffa98667bbefd021f9e12411372"
    )

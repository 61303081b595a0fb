"""A run item with its first question and the key of its judgment."""

from dataclasses import dataclass

from judge.asking.providers.base import Prompt
from judge.methods.base.material import Material
from judge.runs.engine.models import JudgeRun, RunItem
from judge.runs.engine.planning.material import first_nonce, judgment_key


@dataclass(frozen=True)
class Wanted:
    """A run item with its question, ready to be claimed."""

    item: RunItem
    material: Material
    prompt: Prompt
    key: str


def want(run: JudgeRun, item: RunItem, material: Material) -> Wanted:
    """Build an item's first question and the key of its judgment."""
    material = material.method.about(material, item.response.text)
    nonce = first_nonce(run, item.response.key)
    prompt = material.prompt(item.response.text, nonce=nonce)
    key = judgment_key(run, material, prompt, nonce, item.response_id)
    return Wanted(item, material, prompt, key)

"""Writes a baseline answer out of the task's own words. Described in docs/offline.md.

It sees the task and nothing else: the inputs of this purpose have no reference answer.
"""

from curation.base.text.language import amounts, is_chinese, terms
from judge.asking.providers.inputs import AnswerInputs
from judge.asking.providers.rules.passages import Passage, passages, plain

_PER_DEMAND = 3


def answer(inputs: AnswerInputs) -> str:
    """Restates the scenario, then answers each demand with the nearest sentences it was given."""
    task = inputs.task
    chinese = task.language.lower().startswith("zh") or is_chinese(task.requirements)
    scenario, materials = passages(task.scenario), passages(task.materials)
    given = [(passage, terms(f"{passage.heading} {passage.text}")) for passage in scenario]
    given += [(passage, terms(f"{passage.heading} {passage.text}")) for passage in materials]

    parts = [f"# {plain(task.title)}"] if task.title.strip() else []
    if scenario:
        parts.append("## 背景" if chinese else "## Situation")
        parts.append(" ".join(passage.text for passage in scenario[:2]))
    for number, demand in enumerate(passages(task.requirements), start=1):
        parts.append(f"## {number}. {demand.text}")
        nearest = _nearest(demand, given)
        if nearest:
            parts.append("\n".join(f"- {passage.text}" for passage in nearest))
        elif chinese:
            parts.append("材料没有提供与此有关的内容。")
        else:
            parts.append("The materials give nothing on this point.")
    return "\n\n".join(parts) + "\n"


def _nearest(demand: Passage, given: list[tuple[Passage, frozenset[str]]]) -> list[Passage]:
    """Up to three sentences that share most words with the demand, in the order of the text."""
    words = terms(f"{demand.heading} {demand.text}")
    scored = []
    for place, (passage, own) in enumerate(given):
        shared = len(words & own)
        if shared:
            # Of sentences equally near, the one with figures answers more.
            scored.append((shared + 0.5 * bool(amounts(passage.text)), -place, passage))
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    best = sorted(scored[:_PER_DEMAND], key=lambda entry: -entry[1])
    return [passage for _, _, passage in best]

"""The rule that stands in for a model where a task is labelled. Described in docs/offline.md."""

from curation.base.text.language import terms
from judge.asking.providers.inputs import LabelInputs, LabelText

FEWEST = 3  # content terms of a description that is compared
HALF = 0.5


def labels(inputs: LabelInputs) -> list[str]:
    """Return the ids of the labels whose words the task has.

    A label fits if the task has every content term of its name, or at least half of those of its
    description, where that has at least FEWEST.
    """
    task = inputs.task
    there = terms(f"{task.title}\n{task.scenario}\n{task.materials}\n{task.requirements}")
    return [label.id for label in inputs.labels if _fits(label, there)]


def _fits(label: LabelText, there: frozenset[str]) -> bool:
    name, described = terms(label.name), terms(label.description)
    if name and name <= there:
        return True
    return len(described) >= FEWEST and len(described & there) >= HALF * len(described)

"""The facts that a prompt is built from, as plain data.

No field can carry an expert's opinion of a candidate, because a judge must not see the labels it is
measured against. Only the anchor's verdicts on the baseline are included, and a run never judges
that response.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

DIMENSIONS = (
    "instruction_following",
    "constraint_satisfaction",
    "accuracy",
    "information_processing",
    "logical_coherence",
    "domain_expertise",
    "completeness",
    "compliance",
    "safety",
    "novelty",
    "linguistic_quality",
    "structure",
    "depth",
    "interdisciplinary",
    "information_richness",
    "other",
)
IMPORTANCES = ("essential", "important", "optional")


@dataclass(frozen=True)
class TaskText:
    """The texts of a task; `language` is a tag such as "en" or "zh-hans"."""

    id: str
    title: str
    language: str
    domain: str
    scenario: str
    materials: str
    requirements: str


@dataclass(frozen=True)
class Criterion:
    """A line of a rubric; `importance` is one of IMPORTANCES, `weight` is 1 to 10."""

    id: str
    text: str
    importance: str
    weight: int
    dimension: str


@dataclass(frozen=True)
class Exemplar:
    """The anchor: the baseline's text, and criterion id -> (met, rationale)."""

    response_text: str
    verdicts: Mapping[str, tuple[bool, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class OtherExample:
    """The anchor of another task, with that task and its rubric."""

    task: TaskText
    criteria: tuple[Criterion, ...]
    exemplar: Exemplar


@dataclass(frozen=True)
class JudgeInputs:
    """The inputs of a judge; `wanted` has the criterion ids to judge, in the rubric's order.

    `exemplar` is the task's own; a prompt with the example of another task has None here.
    """

    task: TaskText
    criteria: tuple[Criterion, ...]
    exemplar: Exemplar | None
    response_text: str
    wanted: tuple[str, ...]


@dataclass(frozen=True)
class DraftInputs:
    """The inputs of a draft; `remarks` are the author's on an earlier draft."""

    task: TaskText
    reference_answer: str
    language: str
    remarks: str = ""


@dataclass(frozen=True)
class LintInputs:
    """The inputs of opinions on the lines of a rubric."""

    task: TaskText
    reference_answer: str
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True)
class AnswerInputs:
    """The inputs of an answer to a task; the reference answer is not among them."""

    task: TaskText

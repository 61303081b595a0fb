"""The facts a prompt is built from, as plain data.

No field here can carry what an expert said about a candidate: a judge that could see the labels
it is measured against would be worthless. The anchor's verdicts on the *baseline* are the one
exception, and that response is never among the judged ones.
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
    """A task as a reader sees it; `language` is a tag such as "en" or "zh-hans"."""

    id: str
    title: str
    language: str
    domain: str
    scenario: str
    materials: str
    requirements: str


@dataclass(frozen=True)
class Criterion:
    """One line of a rubric; `importance` is essential, important or optional, `weight` 1 to 10."""

    id: str
    text: str
    importance: str
    weight: int
    dimension: str


@dataclass(frozen=True)
class Exemplar:
    """The anchor: the baseline's text and what the experts settled on, per criterion."""

    response_text: str
    verdicts: Mapping[str, tuple[bool, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class JudgeInputs:
    """`wanted` are the criterion ids to be judged in this call, in rubric order."""

    task: TaskText
    criteria: tuple[Criterion, ...]
    exemplar: Exemplar | None
    response_text: str
    wanted: tuple[str, ...]


@dataclass(frozen=True)
class DraftInputs:
    """What a rubric draft rests on; `remarks` are the author's on an earlier draft."""

    task: TaskText
    reference_answer: str
    language: str
    remarks: str = ""


@dataclass(frozen=True)
class LintInputs:
    """The lines a model is asked for its opinion on, and what they are read beside."""

    task: TaskText
    reference_answer: str
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True)
class AnswerInputs:
    """What a model that answers the task may see; the reference answer is not part of it."""

    task: TaskText

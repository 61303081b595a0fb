"""The facts that a prompt is built from, as plain data.

No field can carry an expert's opinion of a candidate, because a judge must not see the labels it is
measured against. Only the anchor's verdicts on the baseline are included, and a run never judges
that response.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

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
class Picture:
    """A picture that goes with a prompt.

    Attributes:
        label: what the prompt calls it: "Picture 1 (plan.png)".
        sha256: of its bytes; stands for them in hashes and in stored requests.
        size: in bytes.
        width, height: in pixels, for estimates of its tokens.
        read: returns the bytes; raises OSError if they are gone from the storage.
    """

    label: str
    content_type: str
    sha256: str
    size: int
    width: int
    height: int
    read: Callable[[], bytes] = field(repr=False, compare=False)


@dataclass(frozen=True)
class TaskFile:
    """A file of a task, as far as models can read it.

    Attributes:
        name: without its author's name.
        kind: the format in English: "Excel workbook".
        text: of the file; "" if it has none.
        notes: what was left out, one English sentence each.
        unread: why models cannot read it, a code; "" if they can.
    """

    name: str
    kind: str
    text: str
    pictures: tuple[Picture, ...] = ()
    notes: tuple[str, ...] = ()
    unread: str = ""


@dataclass(frozen=True)
class TaskText:
    """The texts of a task; `language` is a tag such as "en" or "zh-hans".

    `answer_note` is what candidates are told about the form of their answer, "" for a text.
    """

    id: str
    title: str
    language: str
    domain: str
    scenario: str
    materials: str
    requirements: str
    files: tuple[TaskFile, ...] = ()
    answer_note: str = ""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of all files, in their order."""
        return tuple(picture for file in self.files for picture in file.pictures)


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
class MethodInputs:
    """The inputs of a method of judging that has an offline rule of its own.

    Attributes:
        wanted: the parts to judge, in the method's order.
        offline: returns the reply of the rules that stand in for a model, as data for JSON.
    """

    task: TaskText
    response_text: str
    wanted: tuple[str, ...]
    offline: Callable[[], Mapping[str, Any]] = field(repr=False, compare=False)


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
class LabelText:
    """A label that a task may have; `level` is "intent", "information need" or "constraint"."""

    id: str
    level: str
    name: str
    description: str


@dataclass(frozen=True)
class LabelInputs:
    """The inputs of labelling a task; the reference answer is not among them."""

    task: TaskText
    labels: tuple[LabelText, ...]


@dataclass(frozen=True)
class AnswerInputs:
    """The inputs of an answer to a task; the reference answer is not among them."""

    task: TaskText

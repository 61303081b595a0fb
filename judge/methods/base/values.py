"""What passes through the interface of a method of judging: outcomes, readings, scores, parts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from judge.asking.prompts.parsing import ParsedDraft
from judge.asking.providers.base import Prompt
from rubrics.versions.models import RubricVersion

# Outcomes of a part. The first four are those of a line's verdict
# (`judge.runs.engine.models.Verdict`).
MET, UNMET, ABSTAINED, FAILED = "met", "unmet", "abstained", "failed"
FOUND = "found"  # of a part that is no line: its data are a finding

JUDGE = "judge"  # the role of the run's own model; a method names further ones


class Role(NamedTuple):
    """A role of a model beside the judge, in words: what it does, and what a call of it did."""

    does: Any
    did: Any


LINE_TOKENS = 80  # of one line's verdict, generously; for estimates and small budgets

Outcomes = Mapping[str, Any]  # part -> outcome


class Score(Protocol):
    """A score in exact integers; `rubrics.policy.weights.Score` is one."""

    @property
    def numerator(self) -> int | None:
        """The points reached; None while a part is undecided."""
        ...

    @property
    def denominator(self) -> int:
        """The most points."""
        ...

    @property
    def judged(self) -> int:
        """How many of the counted parts are decided."""
        ...

    @property
    def complete(self) -> bool:
        """Whether there is a score."""
        ...


@dataclass(frozen=True, slots=True)
class Points:
    """A score that does not come from the weights of lines."""

    numerator: int | None
    denominator: int
    judged: int

    @property
    def complete(self) -> bool:
        return self.numerator is not None


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """What is known of a task when a run is planned.

    Attributes:
        form: its `AnswerForm`.
        has_reference: whether it has a reference answer.
        lines: of the rubric that counts; None without a rubric.
    """

    pk: int
    form: str
    has_reference: bool
    lines: int | None


@dataclass(frozen=True, slots=True)
class Read:
    """What a reply, or the method alone, says of a response.

    Attributes:
        lines: criterion key -> (outcome, why). May hold more lines than were asked for, where they
            follow from a finding.
        findings: name of a part that is no line -> its data as JSON.
        reason: why the other parts asked for are missing, as a code of a faulty reply.
        reasons: the same for single parts.
        problem: why nothing could be read, in English; "" if something could.
        notes: what was repaired, unknown or refused, in English; kept with the call.
    """

    lines: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    findings: Mapping[str, Any] = field(default_factory=dict)
    reason: str = "missing"
    reasons: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def why_missing(self, part: str) -> str:
        """Return the code of the reason why a part is missing."""
        return self.reasons.get(part, self.reason)


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged response, as `Method.report` gets it.

    `score` is from 0 to 1, None without one; `findings` are those of its judgment by name; `about`
    has the candidate's kind, tools and licence, "" where nobody entered them.
    """

    candidate: str
    score: float | None
    findings: Mapping[str, Any]
    about: tuple[str, str, str] = ("", "", "")


@dataclass(frozen=True, slots=True)
class Expected:
    """Questions about one response that follow from the first ones, for the estimate of a run.

    Attributes:
        input_tokens, output_tokens: of one call.
        repeats: whether each shows task and response again, which `input_tokens` then leaves out.
    """

    role: str
    calls: int
    input_tokens: int
    output_tokens: int
    repeats: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page: a template of `templates/methods/base/` and what it shows as `part`."""

    template: str
    data: Any


@dataclass(frozen=True, slots=True)
class DraftPlan:
    """How a method drafts a rubric of its own.

    Attributes:
        steps: questions that come first, each with a reply of its own.
        last: returns the question for the draft from the replies to them, in their order. Raises
            `judge.asking.prompts.envelope.UnreadableError` where a reply is of no use.
        read: reads the lines out of the last reply.
        keep: stores, with the draft's version, what lines have no place for; None for nothing.
    """

    steps: Sequence[Prompt]
    last: Callable[[Sequence[str]], Prompt]
    read: Callable[[str], ParsedDraft]
    keep: Callable[[RubricVersion], None] | None = None

"""The interface of a method of judging, and what passes through it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from curation.tasks.models import AnswerForm, Task
from curation.tasks.text_basis import Basis
from judge.methods.material import Frame, Material
from judge.prompts.parsing import ParsedDraft
from judge.providers.base import Prompt
from judge.providers.inputs import TaskText
from rubrics.versions.models import RubricVersion

# Outcomes of a part. The first four are those of a line's verdict (`judge.engine.models.Verdict`).
MET, UNMET, ABSTAINED, FAILED = "met", "unmet", "abstained", "failed"
FOUND = "found"  # of a part that is no line: its data are a finding

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

    `score` is from 0 to 1, None without one; `findings` are those of its judgment by name.
    """

    candidate: str
    score: float | None
    findings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page: a template of `templates/methods/` and what it shows as `part`."""

    template: str
    data: Any


@dataclass(frozen=True, slots=True)
class DraftPlan:
    """How a method drafts a rubric of its own.

    Attributes:
        steps: questions that come first, each with a reply of its own.
        last: returns the question for the draft from the replies to them, in their order. Raises
            `judge.prompts.envelope.UnreadableError` where a reply is of no use.
        read: reads the lines out of the last reply.
        keep: stores, with the draft's version, what lines have no place for.
    """

    steps: Sequence[Prompt]
    last: Callable[[Sequence[str]], Prompt]
    read: Callable[[str], ParsedDraft]
    keep: Callable[[RubricVersion], None]


class Method:
    """One method of judging. It has no state: everything about a task is in its `Material`.

    Attributes:
        key: as commands and the database name it; 20 characters at most.
        label, short: its name, and its name within a sentence.
        choice: what the form of a run says of it.
        sees: what its prompts show a judge, as a sentence.
        forms: the forms of answers that it can judge.
        reads: what of a task its prompts or its own rules read, beside response and settings. A
            judgment that read the reference answer goes stale when that is amended.
        needs_rubric: whether a task without a rubric is skipped.
        needs_example: whether a task without a scored example is skipped.
        per_line: whether one call for each line makes sense.
        one_call_per_part: whether each part is always asked for by itself.
        variants: whether variants of the judge (prompt, example) may use it.
        has_lines: whether it gives verdicts on lines.
        scored_by_lines: whether its score is the weighted share of the lines met. If not, exports
            carry the score itself.
        gives_grades: whether its score is a grade x from 1 to 5, as x - 1 of 4 points.
        replies_with_verdicts: whether its replies are lists of verdicts on lines and nothing else.
        has_findings: whether it has parts that are no lines.
        counterpart: key of the method that differs only in the example; "" if there is none.
        skips: its own reasons why a task does not fit, code -> words.
        faults: its own faults of a reply, code -> words. What has one is asked again.
        fences: parts of its prompts that others' prompts do not have, fence in lower case -> words.
    """

    key: ClassVar[str]
    label: ClassVar[Any]
    short: ClassVar[Any]
    choice: ClassVar[Any]
    sees: ClassVar[Any]
    forms: ClassVar[frozenset[str]] = frozenset({AnswerForm.TEXT})
    reads: ClassVar[frozenset[Basis]] = frozenset({Basis.PROMPT, Basis.RUBRIC})
    needs_rubric: ClassVar[bool] = True
    needs_example: ClassVar[bool] = False
    per_line: ClassVar[bool] = False
    one_call_per_part: ClassVar[bool] = False
    variants: ClassVar[bool] = False
    has_lines: ClassVar[bool] = True
    scored_by_lines: ClassVar[bool] = True
    gives_grades: ClassVar[bool] = False
    replies_with_verdicts: ClassVar[bool] = False
    has_findings: ClassVar[bool] = False
    counterpart: ClassVar[str] = ""
    skips: ClassVar[Mapping[str, Any]] = {}
    faults: ClassVar[Mapping[str, Any]] = {}
    fences: ClassVar[Mapping[str, Any]] = {}

    # -- planning ---------------------------------------------------------------------------------

    def own_facts(self, versions: Mapping[int, int | None]) -> Mapping[int, Any]:
        """Load what the method itself needs of tasks, by primary key. A fixed number of queries.

        Args:
            versions: task -> version of its rubric, None without one.
        """
        return {}

    def why_not(self, task: TaskFacts, own: Any) -> str:
        """Return why the responses to a task are skipped, a code of `skips`; "" if they are judged.

        Args:
            own: what `own_facts` loaded for it, None if nothing.
        """
        return ""

    def about(self, material: Material, response_text: str) -> Material:
        """Return the material about one response; by default that of its task.

        A method whose parts depend on the response loads them here. Threads that ask never call
        it, so it may use the database.
        """
        return material

    # -- asking -----------------------------------------------------------------------------------

    def parts(self, material: Material) -> tuple[str, ...]:
        """Return what a judgment is complete with, in order: keys of lines or names of its own."""
        return material.ids

    def counted(self, material: Material) -> int:
        """Return how many parts are counted as decided or not: by default the lines."""
        return len(material.lines)

    def marks(self, material: Material) -> tuple[str, ...]:
        """Return what changes a judgment though no prompt shows it, such as a table of bands.

        Two judgments with other marks are two judgments, and are asked for apart.
        """
        return ()

    def frame(self, material: Material) -> Frame:
        """Return the builder of prompts about one task."""
        raise NotImplementedError

    def reply_tokens(self, material: Material, parts: int) -> int:
        """Return how long a reply about so many parts may be expected to be, generously."""
        return LINE_TOKENS * (parts + 1)

    # -- reading ----------------------------------------------------------------------------------

    def decided(self, material: Material, response_text: str) -> Read | None:
        """Return what is decided without asking a model; None if nothing is."""
        return None

    def read(
        self,
        material: Material,
        response_text: str,
        reply: str,
        wanted: Sequence[str],
        *,
        cut: bool,
    ) -> Read:
        """Read a reply; only what is unambiguous counts. Never raises.

        Args:
            wanted: the parts asked for. Nothing else may be decided by a reply, except lines that
                follow from a part asked for.
            cut: whether the reply was cut short.
        """
        raise NotImplementedError

    def score(self, material: Material, outcomes: Outcomes, findings: Mapping[str, Any]) -> Score:
        """Return the score that follows. Never counts an undecided part as failed or met."""
        raise NotImplementedError

    def extracted_answer(self, name: str, data: Any) -> str | None:
        """Return the short answer that a finding took from a response, "" for none given.

        None where the finding is no such answer.
        """
        return None

    def exported(self, rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Return the findings of judgments as a file has them: what is known elsewhere, too.

        Args:
            rows: the findings of each judgment by name, without those that failed.
        """
        return rows

    # -- candidates -------------------------------------------------------------------------------

    def answer_notes(self, tasks: Sequence[int]) -> Mapping[int, str]:
        """Return what candidates are told about the form of their answers, by task.

        It never holds anything of the right answer, such as how many items the gold list has.

        Args:
            tasks: whose form of answer this method judges.
        """
        return {}

    # -- drafting ---------------------------------------------------------------------------------

    def draft_plan(self, task: Task, text: TaskText, remarks: str) -> DraftPlan | None:
        """Return how the rubric of a task is drafted; None for the usual way.

        Args:
            remarks: what the author wants done differently, "" for a first draft.
        """
        return None

    # -- measuring --------------------------------------------------------------------------------

    def selections(self, findings: Mapping[str, Any]) -> Mapping[int, bool]:
        """Return which profiles a judgment selected and which not, by primary key."""
        return {}

    # -- showing ----------------------------------------------------------------------------------

    def part(self, findings: Mapping[str, Any], *, points: float | None) -> Part | None:
        """Return what the page of a response shows of the method's own findings.

        Args:
            findings: name -> data; None for a finding that failed.
            points: the score in points of 100; None without one.
        """
        return None

    def report(self, rows: Sequence[Judged]) -> Part | None:
        """Return figures of the method's own over a run's responses; None if it has none.

        `Part.data` has `as_dict()`, which goes into the JSON of a leaderboard as `extras`.
        """
        return None

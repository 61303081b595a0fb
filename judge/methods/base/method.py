"""The interface of a method of judging."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.db.models import Q

from curation.tasks.task.models import AnswerForm, Task
from curation.tasks.task.text_basis import Basis
from judge.asking.providers.inputs import TaskText
from judge.methods.base.material import Frame, Material
from judge.methods.base.overruling import Overruling
from judge.methods.base.values import (
    ABSTAINED,
    JUDGE,
    LINE_TOKENS,
    DraftPlan,
    Expected,
    Judged,
    Outcomes,
    Part,
    Read,
    Role,
    Score,
    TaskFacts,
)


class Method(Overruling):
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
        judges_empty: whether an empty response is judged, by `decided`; else it is skipped.
        per_line: whether one call for each line makes sense.
        one_call_per_part: whether a response takes several questions, by default one a part.
        variants: whether variants of the judge (prompt, example) may use it.
        has_lines: whether it gives verdicts on lines.
        scored_by_lines: whether its score is the weighted share of the lines met. If not, exports
            carry the score itself.
        gives_grades: whether its score is a grade x from 1 to 5, as x - 1 of 4 points.
        replies_with_verdicts: whether its replies are lists of verdicts on lines and nothing else.
        has_findings: whether it has parts that are no lines.
        further_roles: roles of models that a run may name beside its judge, by key (10 characters).
        sees_no_files: the roles whose questions never show the files of a task.
        needs_search: whether a run names a source of documents, as `Material.search`.
        counterpart: key of the method that differs only in the example; "" if there is none.
        skips: its own reasons why a task does not fit, code -> words.
        faults: its own faults of a reply, code -> words. What has one is asked again.
        outages: those of them that say that a source is off, which all responses share: the run
            pauses if the source stays off.
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
    judges_empty: ClassVar[bool] = False
    per_line: ClassVar[bool] = False
    one_call_per_part: ClassVar[bool] = False
    variants: ClassVar[bool] = False
    has_lines: ClassVar[bool] = True
    scored_by_lines: ClassVar[bool] = True
    gives_grades: ClassVar[bool] = False
    replies_with_verdicts: ClassVar[bool] = False
    has_findings: ClassVar[bool] = False
    further_roles: ClassVar[Mapping[str, Role]] = {}
    sees_no_files: ClassVar[frozenset[str]] = frozenset()
    needs_search: ClassVar[bool] = False
    counterpart: ClassVar[str] = ""
    skips: ClassVar[Mapping[str, Any]] = {}
    faults: ClassVar[Mapping[str, Any]] = {}
    outages: ClassVar[frozenset[str]] = frozenset()
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

    def fitting(self) -> Q | None:
        """Return which tasks have what the method needs beside the form of the answer.

        None if all have. Forms of runs count with it; `why_not` decides.
        """
        return None

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

    def following(
        self, material: Material, response_text: str, findings: Mapping[str, Any]
    ) -> Material | None:
        """Return the material with further parts, once all parts so far are decided.

        The parts so far stay, in their order. None if nothing follows. Threads that ask call it
        without the database, and a resumed judgment calls it again: the same findings give the
        same parts.

        Args:
            findings: name -> data of the parts so far.
        """
        return None

    def groups(self, parts: Sequence[str]) -> Sequence[tuple[str, ...]]:
        """Return missing parts by question; all parts of one question have one role."""
        if self.one_call_per_part:
            return [(part,) for part in parts]
        return [tuple(parts)] if parts else []

    def expected(self, material: Material) -> Sequence[Expected]:
        """Return the questions that usually follow from the parts so far, generously."""
        return ()

    def role_of(self, part: str) -> str:
        """Return the role of the model that is asked for a part."""
        return JUDGE

    def is_looked_up(self, part: str) -> bool:
        """Return whether a part is found in `Material.search`, without a model."""
        return False

    def look_up(self, material: Material, response_text: str, part: str) -> Read:
        """Return a part that is looked up; a fault of the source is a reason. Never raises.

        Threads that ask call it without the database.
        """
        raise NotImplementedError

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
        """Return how long a reply about so many parts may be, in tokens, generously."""
        return LINE_TOKENS * (parts + 1)

    # -- reading ----------------------------------------------------------------------------------

    def decided(self, material: Material, response_text: str) -> Read | None:
        """Return what is decided without a model; None if nothing is."""
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

    def why(self, score: Score) -> str:
        """Return, as a code of `faults`, why there is no score though no part failed, or why it is
        0 although there was nothing to judge; "" for every other score."""
        return "" if score.complete else ABSTAINED

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

"""Judging an exact answer: right or wrong, with or without asking a model."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from django.utils.translation import gettext_lazy as _

from curation.base.text.short_answers import gives_none
from curation.tasks.task.models import AnswerForm
from curation.tasks.task.text_basis import Basis
from judge.asking.prompts.envelope import UnreadableError, read_object, tidy
from judge.asking.prompts.parts import inline
from judge.base.stats.calibration import BINS, Calibration, calibration
from judge.methods.base.framing import (
    ECHO,
    ELSEWHERE,
    ELSEWHERE_WORDS,
    MethodFrame,
    echoes,
    object_of,
    occurs,
    plain,
    template_of,
)
from judge.methods.base.material import Frame, Material
from judge.methods.base.method import Method
from judge.methods.base.values import MET, UNMET, Judged, Outcomes, Part, Points, Read, TaskFacts
from judge.methods.exact.comparing import (
    NUMBER,
    Comparison,
    RightAnswer,
    decide,
    right_answers,
    stated_answer,
    stated_confidence,
)


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate: answers judged, right ones, and its calibration."""

    candidate: str
    answers: int
    right: int
    asked: int  # of them, those a model was asked about
    none: int  # of them, empty ones and refusals, which are wrong
    calibration: Calibration

    @property
    def accuracy(self) -> float:
        """Share of right answers in percent."""
        return 100 * self.right / self.answers

    @property
    def error(self) -> float | None:
        """Expected calibration error in points of 100; None where no confidence is stated."""
        found = self.calibration.error
        return None if found is None else float(100 * found)

    @property
    def brier(self) -> float | None:
        """Brier score from 0 to 1; None where no confidence is stated."""
        return None if self.calibration.brier is None else float(self.calibration.brier)

    @property
    def silent(self) -> int:
        """Answers without a confidence; they count in the accuracy alone."""
        return self.answers - self.calibration.answers

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        return {
            "candidate": self.candidate,
            "answers": self.answers,
            "accuracy": self.right / self.answers,
            "no_answer": self.none,
            "with_confidence": self.calibration.answers,
            "calibration_error": None if self.error is None else self.error / 100,
            "brier": self.brier,
            "why": None if self.calibration.answers else "no answer states a confidence",
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All candidates, the most accurate first."""

    rows: tuple[Row, ...]
    bins: int = BINS

    @classmethod
    def of(cls, judged: Sequence[Judged], name: str) -> Self | None:
        """Return the report over the findings called `name`; None without any."""
        found: dict[str, list[Any]] = defaultdict(list)
        for row in judged:
            if row.findings.get(name):
                found[row.candidate].append(row.findings[name])
        rows = [
            Row(
                who,
                len(answers),
                sum(answer["correct"] for answer in answers),
                sum(answer["asked"] for answer in answers),
                sum(gives_none(answer["extracted"] or "") for answer in answers),
                calibration(
                    (answer["confidence"], answer["correct"])
                    for answer in answers
                    if answer["confidence"] is not None
                ),
            )
            for who, answers in found.items()
        ]
        rows.sort(key=lambda row: (-row.accuracy, row.candidate))
        return cls(tuple(rows)) if rows else None

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        return {"bins": self.bins, "exact_answers": [row.as_dict() for row in self.rows]}


ANSWER = "answer"
EDITION = 2  # of the list of what is certain; another one is another question
_MOST = 2_000  # characters of a reason that are kept


class Exact(Method):
    """One point for the right answer. What is certain needs no call."""

    key = "exact"
    label = _("Exact answer")
    short = _("exact answer")
    choice = _("Exact answer: right or wrong, with the confidence stated")
    sees = _(
        "The task with its files, the right answer with its tolerance and alternatives, and the "
        "response; never the author's steps. What is certainly right or wrong is not asked about."
    )
    forms = frozenset({AnswerForm.EXACT})
    reads = frozenset({Basis.PROMPT, Basis.ANSWER})
    needs_rubric = False
    judges_empty = True
    has_lines = False
    scored_by_lines = False
    has_findings = True
    fences: ClassVar[Mapping[str, Any]] = {"rightanswer": _("Right answer")}
    skips: ClassVar[Mapping[str, Any]] = {"no_right_answer": _("the task has no exact answer")}
    faults: ClassVar[Mapping[str, Any]] = {ELSEWHERE: ELSEWHERE_WORDS}

    def own_facts(self, versions: Mapping[int, int | None]) -> Mapping[int, RightAnswer]:
        """Load the right answers. Two queries."""
        return right_answers(versions.keys())

    def why_not(self, task: TaskFacts, own: Any) -> str:
        """Skip a task without a right answer."""
        return "" if own else "no_right_answer"

    def parts(self, material: Material) -> tuple[str, ...]:
        """Return the one part, the answer."""
        return (ANSWER,)

    def counted(self, material: Material) -> int:
        """Count the answer."""
        return 1

    def marks(self, material: Material) -> tuple[str, ...]:
        """The right answer decides without a prompt, too, by the list of `decided`."""
        return (f"right {material.own!r} by {EDITION}",)

    def frame(self, material: Material) -> Frame:
        """Return the builder of prompts."""
        right: RightAnswer = material.own
        return MethodFrame(
            material,
            template_of("exact"),
            values={"gold": _in_words(right)},
            schema=_SCHEMA,
            schema_name="answer",
            offline=lambda text, _wanted: _by_rules(text, right),
        )

    def reply_tokens(self, material: Material, parts: int) -> int:
        """A few sentences."""
        return 250

    def decided(self, material: Material, response_text: str) -> Read | None:
        """Decide an answer that is certainly right, or certainly wrong."""
        told, answer = decide(response_text, material.own)
        if told is Comparison.ASK:
            return None
        correct = told is Comparison.RIGHT
        found = {
            "extracted": answer or None,
            "reason": "",
            "correct": correct,
            "confidence": stated_confidence(response_text),
            "asked": False,
        }
        return Read(_line(material, correct=correct, why=answer), {ANSWER: found})

    def read(
        self,
        material: Material,
        response_text: str,
        reply: str,
        wanted: Sequence[str],
        *,
        cut: bool,
    ) -> Read:
        """Read the comparison; a yes is refused where the response does not hold the answer."""
        repaired: list[str] = []
        try:
            if echoes(reply, response_text):
                raise UnreadableError(ECHO)
            value = read_object(reply, _SCHEMA["properties"], repaired)
            _check(value)
        except UnreadableError as problem:
            return Read(reason="unreadable", problem=str(problem))
        extracted, said = value["extracted"], plain(response_text)
        correct, notes = value["correct"], {"repaired": repaired} if repaired else {}
        if correct and not (extracted and occurs(extracted, said)):
            return Read(reason=ELSEWHERE, notes={"refused": ["a yes to what is not answered"]})
        found = {
            "extracted": tidy(extracted).strip()[:_MOST] if extracted else None,
            "reason": tidy(value["reason"]).strip()[:_MOST],
            "correct": correct,
            "confidence": _confidence(value["confidence"], response_text, said),
            "asked": True,
        }
        why = found["reason"] or str(found["extracted"] or "")
        return Read(_line(material, correct=correct, why=why), {ANSWER: found}, notes=notes)

    def score(self, material: Material, outcomes: Outcomes, findings: Mapping[str, Any]) -> Points:
        """Return 1 of 1 for the right answer, 0 of 1 for another one or none."""
        found = findings.get(ANSWER)
        return Points(int(found["correct"]), 1, 1) if found else Points(None, 1, 0)

    def extracted_answer(self, name: str, data: Any) -> str | None:
        """Return the answer that was compared."""
        return data["extracted"] or "" if name == ANSWER else None

    def answer_notes(self, tasks: Sequence[int]) -> Mapping[int, str]:
        """Ask for a last line with answer and confidence."""
        return dict.fromkeys(tasks, template_of("exact").sections["answer"].strip())

    def part(self, findings: Mapping[str, Any], *, points: float | None) -> Part | None:
        """Show the extracted answer, why it is right or wrong, and the confidence."""
        found = findings.get(ANSWER)
        return Part("methods/base/exact.html", found) if found else None

    def report(self, rows: Sequence[Judged]) -> Part | None:
        """Show accuracy and calibration by candidate."""
        report = Report.of(rows, ANSWER)
        return Part("methods/base/exact_report.html", report) if report else None


_SCHEMA = object_of(
    {
        "extracted": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "reason": {"type": "string"},
        "correct": {"type": "boolean"},
        "confidence": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    }
)


def _check(value: Mapping[str, Any]) -> None:
    """Raise UnreadableError for a value of another kind than was asked for."""
    if not isinstance(value["correct"], bool):
        raise UnreadableError("The verdict is neither true nor false.")
    if not isinstance(value["extracted"], str | None):
        raise UnreadableError("The extracted answer is no text.")
    if not isinstance(value["reason"], str):
        raise UnreadableError("The reason is no text.")
    confidence = value["confidence"]
    if confidence is not None and (type(confidence) is not int or not 0 <= confidence <= 100):
        raise UnreadableError("The confidence is no whole number from 0 to 100.")


def _confidence(named: int | None, response: str, said: str) -> int | None:
    """Return the confidence that the response states: as we read it, else as the reply names it.

    A number that the response does not hold is none: it is unknown, never 100.
    """
    own = stated_confidence(response)
    if own is not None or named is None:
        return own
    return named if occurs(str(named), said) else None


def _line(material: Material, *, correct: bool, why: str) -> dict[str, tuple[str, str]]:
    """Return the verdict on the rubric's line where it has just one: that the answer is right."""
    if len(material.lines) != 1:
        return {}
    return {material.lines[0].id: (MET if correct else UNMET, why)}


def _in_words(right: RightAnswer) -> str:
    said = [f"Answer: {inline(right.answer)}"]
    if right.kind == NUMBER:
        unit = f" {inline(right.unit)}" if right.unit else ""
        off = f"{right.tolerance or 0} {'%' if right.tolerance_is_percent else unit}".strip()
        said.append(f"It is one number{f' in{unit}' if unit else ''}; tolerance: {off}.")
    said += [f"Also right: {inline(other)}" for other in right.alternatives]
    return "\n".join(said)


def _by_rules(response: str, right: RightAnswer) -> dict[str, Any]:
    """The rule that stands in for a model: the right answer stands in the response's last line."""
    lines = [line for line in response.splitlines() if line.strip()] or [""]
    last = plain(lines[-1])
    named = next((one for one in (right.answer, *right.alternatives) if occurs(one, last)), None)
    return {
        "extracted": named or stated_answer(response) or lines[-1].strip()[:200] or None,
        "reason": "Rules, not a model: the last line "
        + ("holds the right answer." if named else "does not hold the right answer."),
        "correct": named is not None,
        "confidence": stated_confidence(response),
    }

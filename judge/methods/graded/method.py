"""Judging a whole answer by one grade from 1 to 5."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.tasks.task.models import AnswerForm, Task
from curation.tasks.task.text_basis import Basis
from judge.asking.prompts.envelope import UnreadableError, note, read_object, tidy
from judge.asking.prompts.frames import NOTHING
from judge.asking.prompts.parts import clean, inline
from judge.asking.providers.inputs import Criterion, JudgeInputs, TaskText
from judge.asking.providers.rules.grade import judge
from judge.asking.providers.rules.passages import passages
from judge.methods.base.framing import ECHO, MethodFrame, echoes, object_of, template_of
from judge.methods.base.material import Frame, Material
from judge.methods.base.method import Method
from judge.methods.base.values import Outcomes, Part, Points, Read, TaskFacts
from judge.methods.graded.scale import HIGHEST, LOWEST, STEPS, is_grade, scales_of

MOST_ANALYSIS = 20_000  # characters that are kept

# Both runs are possessive: each is passed once, however long it is.
_LABEL = re.compile(r"[\W_]*+(?:grade|score|评分|得分|分数|等级)(?P<gap>[\W_]*+)", re.IGNORECASE)
_COLON = re.compile("[:：]")
_AROUND = " \t\u00a0\u3000*_"
_WITHIN = re.compile(r"[\s*_/]")  # what no grade has


class Grade(NamedTuple):
    """A grade with the analysis it ends."""

    grade: int
    analysis: str


def read_grade(reply: str, repaired: list[str], *, cut: bool) -> Grade:
    """Return the grade of a reply.

    It is read from the JSON object that was asked for. Only where a reply names no field "grade",
    it is read from the last line, which models without structured output write. Two grades that
    differ are none, and so are 4.5, 0, 6, "4" and true.

    Args:
        cut: whether the reply was cut short; its last line may then be half a number.

    Raises:
        UnreadableError: there is no grade, or none that is clear.
    """
    if '"grade"' in reply or cut:
        value = read_object(reply, ("analysis", "grade"), repaired)
        grade, analysis = value["grade"], value["analysis"]
        if not is_grade(grade):
            raise UnreadableError("The grade is no whole number from 1 to 5.")
        if not isinstance(analysis, str) or not analysis.strip():
            raise UnreadableError("There is no analysis before the grade.")
        return Grade(grade, tidy(analysis).strip()[:MOST_ANALYSIS])
    return _from_lines(reply, repaired)


def _from_lines(reply: str, repaired: list[str]) -> Grade:
    lines = [line for line in reply.strip().splitlines() if line.strip()]
    stated = [_stated(line) for line in lines]
    last = stated[-1] if stated else None
    if last is None:
        raise UnreadableError("The last line is no grade.")
    if len({value for value in stated if value is not None}) > 1:
        raise UnreadableError("The reply gives more than one grade.")
    if last not in ("1", "2", "3", "4", "5"):
        raise UnreadableError("The grade is no whole number from 1 to 5.")
    analysis = "\n".join(lines[:-1]).strip()
    if not analysis:
        raise UnreadableError("There is no analysis before the grade.")
    note(repaired, "grade in the last line")
    return Grade(int(last), tidy(analysis)[:MOST_ANALYSIS])


def _stated(line: str) -> str | None:
    """Return what a line like "**Score:** 3/5" gives as the grade; None if it is no such line."""
    label = _LABEL.match(line)
    colon = _COLON.search(label["gap"]) if label else None
    if label is None or colon is None:
        return None
    value = line[label.start("gap") + colon.end() :].lstrip(_AROUND).rstrip(f"{_AROUND}.。")
    before, _slash, most = value.rpartition("/")
    if most.strip() == "5" and before:
        value = before.rstrip()
    return value if value and not _WITHIN.search(value) else None


MOST_SENTENCES = 40  # of a reference answer that are looked for


def graded_by_rules(
    task: TaskText, lines: Sequence[Criterion], reference: str, response: str
) -> dict[str, Any]:
    """Return a reply: 1 plus four times the share of points found, rounded half up.

    The points are the lines of the rubric, else the sentences of the reference answer.
    """
    points = tuple(lines) or tuple(
        Criterion(f"s{n}", passage.text, "important", 1, "other")
        for n, passage in enumerate(passages(reference)[:MOST_SENTENCES], start=1)
    )
    wanted = tuple(point.id for point in points)
    verdicts = judge(JudgeInputs(task, points, None, response, wanted))["verdicts"]
    met = sum(verdict["met"] is True for verdict in verdicts)
    steps = (2 * STEPS * met + len(points)) // (2 * len(points)) if points else 0
    return {
        "analysis": f"Rules, not a model: {met} of {len(points)} points have evidence.",
        "grade": LOWEST + steps,
    }


GRADE = "grade"


class Own(NamedTuple):
    """What the prompt needs of a task beside its texts."""

    reference: str
    scale: Sequence[str]


class Graded(Method):
    """Analysis first, then a grade x: (x - 1) of 4 points."""

    key = "graded"
    label = pgettext_lazy("method of judging", "Graded")
    short = _("graded")
    choice = _("Graded: one grade from 1 to 5 for the whole answer")
    sees = _(
        "The task with its files, the reference answer and the words of the rubric's lines as far "
        "as there are any, the scale, and the response; never a weight or an importance."
    )
    forms = frozenset({AnswerForm.TEXT, AnswerForm.EXACT, AnswerForm.LIST, AnswerForm.PROFILE})
    reads = frozenset({Basis.PROMPT, Basis.RUBRIC, Basis.ANSWER})
    needs_rubric = False
    has_lines = False
    scored_by_lines = False
    gives_grades = True
    has_findings = True
    fences: ClassVar[Mapping[str, Any]] = {"scale": _("Scale"), "points": _("Rubric")}
    skips: ClassVar[Mapping[str, Any]] = {
        "nothing_to_compare": _("the task has neither a reference answer nor a rubric")
    }

    def own_facts(self, versions: Mapping[int, int | None]) -> Mapping[int, Own]:
        """Load reference answer and scale. Three queries."""
        scales = scales_of(versions.keys())
        references = dict(
            Task.objects.filter(pk__in=versions.keys()).values_list("pk", "reference_answer")
        )
        return {task: Own(text, scales[task]) for task, text in references.items()}

    def why_not(self, task: TaskFacts, own: Any) -> str:
        """Skip a task that says nothing of what is right."""
        return "" if task.has_reference or task.lines else "nothing_to_compare"

    def parts(self, material: Material) -> tuple[str, ...]:
        """Return the one part, the grade."""
        return (GRADE,)

    def counted(self, material: Material) -> int:
        """Count the grade."""
        return 1

    def frame(self, material: Material) -> Frame:
        """Return the builder of prompts."""
        own: Own = material.own
        scale = "\n".join(f"{n}: {inline(words)}" for n, words in enumerate(own.scale, LOWEST))
        points = "\n".join(f"- {inline(line.text)}" for line in material.lines)
        return MethodFrame(
            material,
            template_of("graded"),
            values={
                "scale": scale,
                "reference": clean(own.reference).strip() or NOTHING,
                "points": points or NOTHING,
            },
            schema=_SCHEMA,
            schema_name="grade",
            offline=lambda text, _wanted: graded_by_rules(
                material.task, material.lines, own.reference, text
            ),
        )

    def reply_tokens(self, material: Material, parts: int) -> int:
        """An analysis has a page at most."""
        return 900

    def read(
        self,
        material: Material,
        response_text: str,
        reply: str,
        wanted: Sequence[str],
        *,
        cut: bool,
    ) -> Read:
        """Read the grade, or none."""
        repaired: list[str] = []
        try:
            if echoes(reply, response_text):
                raise UnreadableError(ECHO)
            found = read_grade(reply, repaired, cut=cut)
        except UnreadableError as problem:
            return Read(reason="unreadable", problem=str(problem))
        notes = {"repaired": repaired} if repaired else {}
        return Read(
            findings={GRADE: {"grade": found.grade, "analysis": found.analysis}}, notes=notes
        )

    def score(self, material: Material, outcomes: Outcomes, findings: Mapping[str, Any]) -> Points:
        """Return (x - 1) of 4."""
        found = findings.get(GRADE)
        if not found:
            return Points(None, STEPS, 0)
        return Points(found["grade"] - LOWEST, STEPS, 1)

    def part(self, findings: Mapping[str, Any], *, points: float | None) -> Part | None:
        """Show grade and analysis."""
        found = findings.get(GRADE)
        if not found:
            return None
        data = {**found, "points": points, "of": HIGHEST}
        return Part("methods/base/graded.html", data)


_SCHEMA = object_of(
    {
        "analysis": {"type": "string"},
        "grade": {"type": "integer", "enum": list(range(LOWEST, HIGHEST + 1))},
    }
)

"""Judging a whole answer by one grade from 1 to 5."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.tasks.task.models import AnswerForm, Task
from curation.tasks.task.text_basis import Basis
from judge.asking.prompts.cleaning import clean, inline
from judge.asking.prompts.envelope import UnreadableError
from judge.asking.prompts.frames import NOTHING
from judge.methods.base.framing import ECHO, MethodFrame, echoes, object_of, template_of
from judge.methods.base.material import Frame, Material
from judge.methods.base.method import Method
from judge.methods.base.values import Outcomes, Part, Points, Read, TaskFacts
from judge.methods.graded.offline import graded_by_rules
from judge.methods.graded.reading import read_grade
from judge.methods.graded.scale import HIGHEST, LOWEST, STEPS, scales_of

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

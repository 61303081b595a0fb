"""Judging a profile by prepared questions, which are the lines of the rubric."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from curation.tasks.task.models import AnswerForm, Task
from judge.asking.prompts.cleaning import clean
from judge.asking.prompts.envelope import UnreadableError
from judge.asking.prompts.frames import object_with_list
from judge.asking.providers.inputs import Criterion, JudgeInputs, TaskText
from judge.asking.providers.rules.grade import judge
from judge.asking.providers.rules.passages import passages
from judge.methods.base.framing import (
    ECHO,
    ELSEWHERE,
    ELSEWHERE_WORDS,
    MethodFrame,
    echoes,
    template_of,
)
from judge.methods.base.material import Frame, Material
from judge.methods.base.values import ABSTAINED, MET, UNMET, DraftPlan, Read
from judge.methods.checklist.method import Checklist
from judge.methods.questions.drafting import DRAFTING
from judge.methods.questions.reading import read_answers
from rubrics.versions.models import Criterion as Line
from rubrics.versions.question_line import question_and_answer

_OUTCOME = {True: MET, False: UNMET, None: ABSTAINED}


class Questions(Checklist):
    """A line is met if the profile answers its question as the author does, with a quotation."""

    key = "questions"
    label = _("Verification questions")
    short = _("verification questions")
    choice = _("Verification questions: a profile checked by prepared questions")
    sees = _(
        "The task with its files, the questions with their right answers, and the profile; never a "
        "question's weight, importance or dimension."
    )
    forms = frozenset({AnswerForm.PROFILE})
    variants = False
    replies_with_verdicts = False
    fences: ClassVar[Mapping[str, Any]] = {"questions": _("Questions with their right answers")}
    skips: ClassVar[Mapping[str, Any]] = {
        "question_without_answer": _("a question of the rubric has no right answer")
    }
    faults: ClassVar[Mapping[str, Any]] = {ELSEWHERE: ELSEWHERE_WORDS}

    def own_facts(self, versions: Mapping[int, int | None]) -> Mapping[int, Mapping[str, str]]:
        """Load the passages that lines rest on: question key -> right answer. One query."""
        tasks = {version: task for task, version in versions.items() if version is not None}
        found: dict[int, dict[str, str]] = {task: {} for task in tasks.values()}
        rows = Line.objects.filter(version__in=tasks).values_list(
            "version_id", "key", "text", "quote"
        )
        for version, key, text, quote in rows:
            found[tasks[version]][key] = question_and_answer(text, quote)[1]
        return found

    def why_not(self, task: Any, own: Any) -> str:
        """Skip a rubric with a question that nobody knows the answer to."""
        return "" if own and all(own.values()) else "question_without_answer"

    def frame(self, material: Material) -> Frame:
        """Return the builder of prompts."""
        return MethodFrame(
            material,
            template_of("questions"),
            values={"questions": "\n".join(_rows(material))},
            schema=_schema(material.ids),
            schema_name="answers",
            offline=lambda text, wanted: _by_rules(material, text, wanted),
        )

    def reply_tokens(self, material: Material, parts: int) -> int:
        """An answer with its quotation is about half as long again as a verdict."""
        return 120 * (parts + 1)

    def read(
        self,
        material: Material,
        response_text: str,
        reply: str,
        wanted: Sequence[str],
        *,
        cut: bool,
    ) -> Read:
        """Read the answers; one whose quotation the profile does not hold is refused."""
        repaired: list[str] = []
        try:
            if echoes(reply, response_text):
                raise UnreadableError(ECHO)
            found = read_answers(reply, response_text, wanted, repaired)
        except UnreadableError as problem:
            return Read(reason="unreadable", problem=str(problem))
        lines = {
            name: (_OUTCOME[answer.agrees], _why(answer.why, answer.quote))
            for name, answer in found.answers.items()
        }
        notes = {"repaired": repaired, "unknown ids": found.unknown, "refused": [*found.faults]}
        return Read(
            lines,
            reasons=found.faults,
            notes={name: said for name, said in notes.items() if said},
        )

    def answer_notes(self, tasks: Sequence[int]) -> Mapping[int, str]:
        """Say that a text is checked that stands alone."""
        return dict.fromkeys(tasks, template_of("questions").sections["answer"].strip())

    def draft_plan(self, task: Task, text: TaskText, remarks: str) -> DraftPlan:
        """Draft questions with their right answers from the reference answer."""
        return DRAFTING.plan(task, text, remarks)


def _rows(material: Material) -> list[str]:
    return [
        json.dumps(
            {
                "id": line.id,
                "question": clean(question_and_answer(line.text, "")[0]),
                "answer": clean(material.own.get(line.id, "")),
            },
            ensure_ascii=False,
        )
        for line in material.lines
    ]


def _why(why: str, quote: str) -> str:
    """Return the reason with its quotation, so that pages find the passage."""
    quote = quote.strip("“”\"'「」 ")
    return f"“{quote}” {why}".strip() if quote and f"“{quote}”" not in why else why


def _schema(ids: Sequence[str]) -> Mapping[str, Any]:
    name: dict[str, Any] = {"type": "string"}
    if len(ids) <= 250:  # what OpenAI's strict schemas take
        name["enum"] = list(ids)
    return object_with_list(
        "answers",
        {
            "id": name,
            "quote": {"type": "string"},
            "why": {"type": "string"},
            "agrees": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        },
    )


def _by_rules(material: Material, response: str, wanted: Sequence[str]) -> dict[str, Any]:
    """The rule that stands in for a model: evidence for the right answers, as for lines."""
    right = tuple(
        Criterion(line.id, material.own.get(line.id, "") or line.text, line.importance, 1, "other")
        for line in material.lines
    )
    said = judge(JudgeInputs(material.task, right, None, response, tuple(wanted)))["verdicts"]
    first = next((passage.text for passage in passages(response)), "")
    answers = []
    for row in said:
        quoted = row["why"].partition("“")[2].partition("”")[0].rstrip("…")
        quote = quoted or (first if row["met"] else "")
        answers.append({"id": row["id"], "quote": quote, "why": row["why"], "agrees": row["met"]})
    return {"answers": answers}

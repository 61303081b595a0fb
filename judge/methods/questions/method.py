"""Judging a profile by prepared questions, which are the lines of the rubric."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from django.utils.translation import gettext_lazy as _

from curation.base.text.language import amounts, is_chinese
from curation.tasks.task.models import AnswerForm, Task
from judge.asking.prompts.envelope import (
    MAX_RECORDED,
    Ambiguous,
    UnreadableError,
    note,
    read_list,
    squeeze,
    tidy,
)
from judge.asking.prompts.frames import object_with_list
from judge.asking.prompts.parsing import MAX_WHY
from judge.asking.prompts.parts import clean
from judge.asking.providers.inputs import Criterion, JudgeInputs, TaskText
from judge.asking.providers.rules.grade import judge
from judge.asking.providers.rules.passages import passages
from judge.methods.base.drafting import Drafting, Row
from judge.methods.base.framing import (
    ECHO,
    ELSEWHERE,
    ELSEWHERE_WORDS,
    MethodFrame,
    echoes,
    occurs,
    plain,
    template_of,
)
from judge.methods.base.material import Frame, Material
from judge.methods.base.values import ABSTAINED, MET, UNMET, DraftPlan, Read
from judge.methods.checklist.method import Checklist
from rubrics.versions.lines import question_and_answer
from rubrics.versions.models import Criterion as Line

DIMENSION = "accuracy"  # of every question: it asks for a fact
MOST_QUESTIONS = 25
_SEMICOLON = re.compile(r"[;；]\s*")
_SHORTEST = 3  # words of a sentence that is asked about; six Chinese characters


def line_of(row: Row, _reference: str) -> dict[str, Any] | str:
    """Return the line of a question, or why it is refused."""
    question, answer = (
        squeeze(tidy(said)) if isinstance(said, str) else ""
        for said in (row.get("question"), row.get("answer"))
    )
    if not question:
        return "no text"
    if not answer:
        return "no right answer"
    # The first "|" of a line parts question and right answer.
    text = f"{question.replace('|', '/')} | {answer}"
    fields = {name: row.get(name) for name in ("importance", "weight", "quote")}
    return {**fields, "text": text, "dimension": DIMENSION}


def by_rules(reference: str) -> dict[str, Any]:
    """Return questions by the rules that stand in for a model.

    A labelled statement ("Languages: German, French") is asked by its label, a cell of a table by
    row and column, and of any other one whether the profile says it. Semicolons part statements.
    """
    chinese = is_chinese(reference)
    rows = []
    for question, answer, quote in _asked(reference, chinese):
        figures = bool(amounts(answer))
        rows.append(
            {
                "question": question,
                "answer": answer,
                "importance": "essential" if figures else "important",
                "weight": 7 if figures else 5,
                "quote": quote,
            }
        )
    return {"questions": rows[:MOST_QUESTIONS]}


def _asked(reference: str, chinese: bool) -> Iterator[tuple[str, str, str]]:
    """(question, right answer, passage) of each statement of a text."""
    about = "画像里关于“{0}”怎么说？" if chinese else "What is said about “{0}”?"
    says = "画像里是否写明这一点？" if chinese else "Does the profile say this?"
    for passage in passages(reference):
        for row, column, value in passage.cells:
            if value.strip("-–—/ "):
                yield about.format(f"{row}, {column}".strip(", ")), value, passage.quote
        if passage.cells or passage.kind == "row":
            continue
        for part in _SEMICOLON.split(passage.text):
            label, colon, value = part.replace("：", ":").partition(":")
            if colon and value.strip() and len(label) <= 40:
                yield about.format(label.strip()), value.strip(" .。"), passage.quote
            elif part[-1:] not in "?？" and _size(part) >= _SHORTEST:
                yield says, part.strip(" .。"), passage.quote


def _size(text: str) -> float:
    return len(text) / 2 if is_chinese(text) else len(text.split())


DRAFTING = Drafting(
    method="questions",
    rows="questions",
    properties={
        "question": {"type": "string"},
        "answer": {"type": "string"},
        "importance": {"type": "string", "enum": ["essential", "important", "optional"]},
        "weight": {"type": "integer"},
        "quote": {"type": "string"},
    },
    line=line_of,
    offline=by_rules,
)


class Answer(NamedTuple):
    """The answer to one question from the profile; `agrees` is None for an abstention."""

    agrees: bool | None
    why: str
    quote: str


class Answers(NamedTuple):
    """What one reply says.

    Attributes:
        answers: question id -> answer.
        faults: question id -> code of the reason why its answer was refused.
        unknown: ids in the reply that were not asked for.
    """

    answers: Mapping[str, Answer]
    faults: Mapping[str, str]
    unknown: Sequence[str]


def read_answers(
    reply: str, response_text: str, wanted: Sequence[str], repaired: list[str]
) -> Answers:
    """Return the answers on the wanted questions; those without a usable one are left out.

    Entries of one id that agree count once; if they differ, none does. An answer that agrees needs
    a quotation, and every quotation has to stand in the profile.

    Raises UnreadableError where nothing can be read.
    """
    rows = read_list(reply, "answers", repaired)
    said, asked = plain(response_text), set(wanted)
    found: dict[str, list[Answer | str]] = {}
    unknown: dict[str, None] = {}
    for row in rows:
        name = row.get("id") if isinstance(row, dict) else None
        if not isinstance(name, str):
            note(repaired, "an entry without an id")
        elif name.strip() not in asked:
            unknown[tidy(name)[:200]] = None
        else:
            found.setdefault(name.strip(), []).append(_answer(row, said))
    answers: dict[str, Answer] = {}
    faults: dict[str, str] = {}
    for name, several in found.items():
        kinds = {one if isinstance(one, str) else one.agrees for one in several}
        first = several[0]
        if len(kinds) > 1:
            faults[name] = "conflicting"
        elif isinstance(first, str):
            faults[name] = first
        else:
            answers[name] = first
    return Answers(answers, faults, tuple(unknown)[:MAX_RECORDED])


def _answer(row: Mapping[str, object], said: str) -> Answer | str:
    """Return the answer of one entry, or the code of what is wrong with it."""
    agrees, why, quote = row.get("agrees", ""), row.get("why"), row.get("quote")
    if isinstance(row, Ambiguous) or not (agrees is None or isinstance(agrees, bool)):
        return "unreadable"
    if not isinstance(quote, str):
        return "unreadable"
    quote = tidy(quote).strip()[:MAX_WHY]
    if (agrees is True or quote) and not occurs(quote, said):
        return ELSEWHERE
    words = tidy(why).strip()[:MAX_WHY] if isinstance(why, str) else ""
    return Answer(agrees, words, quote)


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

"""Tasks with an exact answer as xbench's encrypted CSV, in and out.

A question becomes a task of another benchmark by `Tasks`, with its checks. The parts of
an own task are joined into one prompt, so it comes back as one text: the output requirements.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.records.faults import Faults
from curation.base.records.json_lines import Format, Line
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import AnswerForm, Origin, Task
from judge.base.gold_sets.task_sets import TaskSet
from judge.gold.transfer.exact_line import stored_answers
from judge.gold.transfer.exporting import COLUMNS, task_line
from judge.gold.transfer.xbench_file import Question, read_questions

DEFAULT_DOMAIN = "xbench"
# Fields of a task's line that the columns of the file hold, or that follow from the answer.
_ELSEWHERE = frozenset(
    ("id", "requirements", "scenario", "materials", "reference_answer", "answer_form", "exact")
)
_NUMBERED = re.compile(r"^\s*(?:\d+\s*[.)、．]|[-*•])\s*")


def xbench(key: str, *, domain: str = "") -> Format:
    """Return the format of a file of questions, for `Tasks`.

    Args:
        key: of the file.
        domain: of the tasks; "" for what the file says, or else `DEFAULT_DOMAIN`.

    Raises, when it reads:
        FileRefused: the file has faults; it carries all of them.
        BadInput: the key is not that of the file.
    """

    def read(
        path: str | Path, kind: type[Line], faults: Faults
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        for question in read_questions(path, key):
            yield question.line, _as_line(question, domain)

    return read


def _as_line(question: Question, domain: str) -> dict[str, Any]:
    details = dict(question.details)
    exact = details.pop("exact", {})
    if not isinstance(exact, dict):
        exact = {"answer": None}  # refused with its line
    exact = {"answer": question.answer, **exact}
    if "steps" not in exact and question.steps:
        exact["steps"] = [{"text": text} for text in _steps_in(question.steps)]
    return {
        "domain": DEFAULT_DOMAIN,
        **details,
        **({"domain": domain} if domain else {}),
        "id": question.id,
        "requirements": question.prompt,
        "answer_form": AnswerForm.EXACT.value,
        "exact": exact,
    }


def _steps_in(text: str) -> list[str]:
    """Return the steps of a text that has one on each line, without their numbers."""
    lines = (_NUMBERED.sub("", line).strip() for line in text.splitlines())
    return [line for line in lines if line]


def questions_of(tasks: TaskSet) -> list[Question]:
    """Return the tasks of a set that have an exact answer, in the order of ids.

    Own tasks count once they are approved. Four queries.

    Raises:
        BadInput: there is none.
    """
    rows = Task.objects.filter(
        Q(stage=Stage.APPROVED) | Q(origin=Origin.EXTERNAL), answer_form=AnswerForm.EXACT
    )
    pks = list(tasks.within(rows, "pk").order_by("pk").values_list("pk", flat=True))
    if not pks:
        raise BadInput(
            _("There is no approved task with an exact answer in %(set)s.") % {"set": tasks.label},
            code="no_tasks",
        )
    return list(_questions(pks))


def _questions(pks: list[int]) -> Iterator[Question]:
    answers = stored_answers(pks)
    rows = Task.objects.filter(pk__in=pks).order_by("pk").values(*COLUMNS)
    for number, row in enumerate(rows, start=2):
        line = task_line(row, None, None, answers.get(row["pk"]))
        exact = dict(line.get("exact", {}))
        parts = (line.get(name, "") for name in ("scenario", "materials", "requirements"))
        details = {name: value for name, value in line.items() if name not in _ELSEWHERE}
        answer = exact.pop("answer", "")
        if exact:
            details["exact"] = exact
        yield Question(
            line=number,
            id=line["id"],
            prompt="\n\n".join(filter(None, parts)),
            answer=answer,
            steps=_numbered(exact.get("steps", ())),
            details=details,
        )


def _numbered(steps: Iterable[Mapping[str, Any]]) -> str:
    """Return the steps with their sources as numbered lines."""
    return "\n".join(
        f"{n}. " + " ".join(filter(None, (" ".join(step["text"].split()), step.get("source"))))
        for n, step in enumerate(steps, start=1)
    )

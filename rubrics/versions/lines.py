"""Lines that are not typed: that the answer is right, and a question with its right answer."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from curation.base.process.lifecycle import Stage
from curation.tasks.task.exact_checks import in_words
from curation.tasks.task.exact_models import ExactAnswer
from curation.tasks.task.fields import answers_exactly
from curation.tasks.task.models import Task
from rubrics.policy.dimensions import MAX_WEIGHT, Dimension, Importance
from rubrics.versions.actions import new_answer_version
from rubrics.versions.models import Criterion, RubricVersion

# The machine makes it from the answer when the panel has kept the task, and again when an amendment
# changes the answer or the question. It has no author and no review: the panel has voted on the
# answer, and two solvers have found it right, which is more than a review of one line.


KEY = "answer"
# In the language of the task, like every line; it is no text of a page.
_LINE = {"zh": "最终答案是：{answer}"}
_OTHERWISE = "The final answer is: {answer}"


def line_for(task: Task, exact: ExactAnswer) -> dict[str, Any]:
    """Return the one line of a task with an exact answer."""
    words = _LINE.get(task.language.partition("-")[0], _OTHERWISE)
    return {
        "key": KEY,
        "text": words.format(answer=in_words(exact.expected)),
        "importance": Importance.ESSENTIAL,
        "weight": MAX_WEIGHT,
        "dimension": Dimension.ACCURACY,
    }


@transaction.atomic
def make_answer_line(task: Task) -> RubricVersion:
    """Store the one line as a closed version of the rubric, which counts from then on."""
    exact = ExactAnswer.objects.get(task_id=task.pk)
    return new_answer_version(task, line_for(task, exact))


@transaction.atomic
def finish_exact_task(task: Task) -> bool:
    """Make the one line of a task that the panel has kept, and approve it.

    Returns False, and does nothing, for a task whose answer is a text.
    """
    if task.external or not answers_exactly(task):
        return False
    version = make_answer_line(task)
    task.advance(Stage.APPROVED, actor=None, version=version.number, lines=1)
    return True


def question_and_answer(text: str, quote: str) -> tuple[str, str]:
    """Return question and right answer: what follows the first "|" of a line, else its passage."""
    question, bar, answer = text.partition("|")
    return question.strip(), (answer.strip() if bar else "") or quote.strip()


def unanswered(lines: Sequence[Criterion]) -> list[Criterion]:
    """Return the lines that have no right answer."""
    return [line for line in lines if not question_and_answer(line.text, line.quote)[1]]

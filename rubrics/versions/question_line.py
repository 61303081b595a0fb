"""A line of a rubric that is a question with its right answer: "Where did she study?|Zürich"."""

from collections.abc import Sequence

from rubrics.versions.models import Criterion


def question_and_answer(text: str, quote: str) -> tuple[str, str]:
    """Return question and right answer: what follows the first "|" of a line, else its passage."""
    question, bar, answer = text.partition("|")
    return question.strip(), (answer.strip() if bar else "") or quote.strip()


def unanswered(lines: Sequence[Criterion]) -> list[Criterion]:
    """Return the lines that have no right answer."""
    return [line for line in lines if not question_and_answer(line.text, line.quote)[1]]

"""The draft of verification questions, each with its right answer from the reference answer."""

import re
from collections.abc import Iterator
from typing import Any

from curation.base.text.language import amounts, is_chinese
from judge.asking.prompts.envelope import squeeze, tidy
from judge.asking.providers.rules.passages import passages
from judge.methods.base.drafting import Drafting, Row

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

"""The CSV of xbench's evaluations: one question a row, its texts in the cipher.

Columns as the published files have them: `id`, `prompt`, `answer`, `reference_steps` and `canary`,
which holds the key in clear. A column of our own, `details`, keeps what the others have no place
for; programs that read the published files pass over it.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from django.utils.translation import gettext as _

from curation.base.records.faults import Faults
from curation.base.records.json_lines import LONGEST
from curation.base.text.storable import problem_with
from curation.base.web.refusals import BadInput
from judge.gold.transfer import cipher

REQUIRED = ("id", "prompt", "answer")
ENCRYPTED = ("prompt", "answer", "reference_steps", "details")
COLUMNS = ("id", "prompt", "answer", "reference_steps", "details", "canary")
LONGEST_KEY = 200


@dataclass(frozen=True)
class Question:
    """A row in clear; `details` is the JSON object of our own column, {} without one."""

    line: int  # of the file, from 2 on
    id: str
    prompt: str
    answer: str
    steps: str = ""
    details: dict[str, Any] = field(default_factory=dict)


def check_key(key: str) -> None:
    """Raises BadInput for a key that is empty, blank at an end, too long or not storable."""
    if not key or key != key.strip() or len(key) > LONGEST_KEY or problem_with(key):
        sentence = _("Give a key of 1 to %(n)s characters, without spaces around it.") % {
            "n": LONGEST_KEY
        }
        raise BadInput(sentence, fields={"key": [sentence]})


def read_questions(path: str | Path, key: str) -> list[Question]:
    """Return the questions of a file in clear, in its order.

    Raises:
        FileRefused: the file cannot be read or has faults; it carries all of them.
        BadInput: the key is not that of the file.
    """
    check_key(key)
    faults = Faults(str(path))
    table = _table(path, faults)
    rows = table.to_dict("records")
    sure = _is_sure(rows, key)
    found = [_question(number, row, key, faults) for number, row in enumerate(rows, start=2)]
    if not sure and any(problem.sentence == _not_opened() for problem in faults.found):
        raise _wrong_key()
    seen: dict[str, int] = {}
    for question in filter(None, found):
        first = seen.setdefault(question.id, question.line)
        if first != question.line:
            faults.add(question.line, "id", _("Line %(n)s has this id already.") % {"n": first})
    faults.refuse()
    return [question for question in found if question is not None]


def csv_of(questions: Iterable[Question], key: str) -> str:
    """Return the file of some questions, as `read_questions` reads it. Raises BadInput."""
    check_key(key)
    table = pd.DataFrame([_row(question, key) for question in questions], columns=list(COLUMNS))
    return table.to_csv(index=False, lineterminator="\n")


def _table(path: str | Path, faults: Faults) -> pd.DataFrame:
    try:
        table = pd.read_csv(
            path, dtype=str, keep_default_na=False, encoding="utf-8-sig", skip_blank_lines=False
        )
    except OSError as error:
        faults.add(1, "file", _("The file cannot be read: %(why)s.") % {"why": error.strerror})
    except (UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError):
        faults.add(1, "file", _("This is not a table (CSV) in UTF-8."))
    faults.refuse()
    missing = [name for name in REQUIRED if name not in table.columns]
    for name in missing:
        faults.add(1, name, _("The table has no column of this name."))
    if not missing and table.empty:
        faults.add(1, "file", _("There is no line in this file."))
    faults.refuse()
    return table


def _is_sure(rows: Iterable[dict[str, str]], key: str) -> bool:
    """Return whether the file says that this is its key.

    Raises BadInput: it says that another one is.
    """
    carried = {row.get("canary") or "" for row in rows}
    if carried - {"", key}:
        raise _wrong_key()
    return key in carried


def _not_opened() -> str:
    return _("This key does not open this text.")


def _wrong_key() -> BadInput:
    sentence = _("This key does not open the file. Nothing was stored.")
    return BadInput(sentence, code="wrong_key", fields={"key": [sentence]})


def _question(number: int, row: dict[str, str], key: str, faults: Faults) -> Question | None:
    before = len(faults.found)
    clear = dict(_clear(number, row, key, faults))
    if not row["id"].strip():
        faults.add(number, "id", _("This field is missing."))
    for name in ("prompt", "answer"):
        if name in clear and not clear[name].strip():
            faults.add(number, name, _("This text is empty."))
    details = _details(clear.get("details", ""), number, faults)
    if len(faults.found) > before:
        return None
    return Question(
        line=number,
        id=row["id"].strip(),
        prompt=clear["prompt"],
        answer=clear["answer"],
        steps=clear.get("reference_steps", ""),
        details=details,
    )


def _clear(number: int, row: dict[str, str], key: str, faults: Faults) -> Iterator[tuple[str, str]]:
    for name in ENCRYPTED:
        if not row.get(name):
            yield name, ""
            continue
        try:
            text = cipher.decrypt(row[name], key)
        except cipher.WrongKeyError:
            faults.add(number, name, _not_opened())
            continue
        except cipher.UnreadableError:
            faults.add(number, name, _("This is not base64."))
            continue
        if problem := problem_with(text, limit=LONGEST):
            faults.add(number, name, problem)
            continue
        yield name, text


def _details(text: str, number: int, faults: Faults) -> dict[str, Any]:
    if not text:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        faults.add(number, "details", _("This must be a JSON object, {…}."))
        return {}
    return found


def _row(question: Question, key: str) -> dict[str, str]:
    details = json.dumps(question.details, ensure_ascii=False, sort_keys=True)
    clear = {
        "prompt": question.prompt,
        "answer": question.answer,
        "reference_steps": question.steps,
        "details": details if question.details else "",
    }
    hidden = {name: cipher.encrypt(text, key) if text else "" for name, text in clear.items()}
    return {"id": question.id, **hidden, "canary": key}

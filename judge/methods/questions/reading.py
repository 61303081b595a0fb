"""Reads the answers to questions out of a reply; a quotation has to stand in the profile. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.asking.prompts.envelope import MAX_RECORDED, Ambiguous, note, read_list, tidy
from judge.asking.prompts.parsing import MAX_WHY
from judge.methods.base.framing import ELSEWHERE, occurs, plain


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

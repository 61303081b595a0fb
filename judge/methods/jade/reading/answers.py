"""Reads the answers to the items of a checklist out of a reply. Pure."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from judge.asking.prompts.envelope import MAX_RECORDED, Ambiguous, note, read_list, tidy
from judge.methods.base.framing import ELSEWHERE, occurs, plain
from judge.methods.jade.reading.reports import WORDS, UnknownNameError

HALVES: Mapping[str, int] = {"no": 0, "partly": 1, "yes": 2}  # Eq. 7, in halves


class Answers(NamedTuple):
    """What one reply says.

    Attributes:
        found: id -> answer with why and quote.
        faults: id -> code of the reason why its answer was refused.
        unknown: ids in the reply that were not asked for.
    """

    found: Mapping[str, Mapping[str, Any]]
    faults: Mapping[str, str]
    unknown: Sequence[str]


def read_answers(
    reply: str,
    response_text: str,
    wanted: Sequence[str],
    known: Collection[str],
    repaired: list[str],
) -> Answers:
    """Return the answers to the wanted items; those without a usable one are left out.

    Args:
        known: ids of all items that the question showed.
        repaired: takes what was repaired, in words.

    A yes and a partly need a quotation, and every quotation has to stand in the response. Entries
    of one id that agree count once; if they differ, none does.

    Raises:
        UnreadableError: nothing can be read.
        UnknownNameError: an id is named that there is not.
    """
    said, asked = plain(response_text), set(wanted)
    each: dict[str, list[dict[str, Any] | str]] = {}
    unknown: dict[str, None] = {}
    for row in read_list(reply, "answers", repaired):
        name = row.get("id") if isinstance(row, dict) else None
        if not isinstance(name, str):
            note(repaired, "an entry without an id")
        elif name.strip() not in known:
            raise UnknownNameError(tidy(name)[:100])
        elif name.strip() not in asked:
            unknown[tidy(name)[:100]] = None
        else:
            each.setdefault(name.strip(), []).append(_answer(row, said))
    found: dict[str, Mapping[str, Any]] = {}
    faults: dict[str, str] = {}
    for name, several in each.items():
        kinds = {one if isinstance(one, str) else one["answer"] for one in several}
        first = several[0]
        if len(kinds) > 1:
            faults[name] = "conflicting"
        elif isinstance(first, str):
            faults[name] = first
        else:
            found[name] = first
    return Answers(found, faults, tuple(unknown)[:MAX_RECORDED])


def _answer(row: Mapping[str, Any], said: str) -> dict[str, Any] | str:
    """Return the answer of one entry, or the code of what is wrong with it."""
    answer, why, quote = row.get("answer"), row.get("why"), row.get("quote")
    if isinstance(row, Ambiguous) or not isinstance(answer, str) or answer not in HALVES:
        return "unreadable"
    if not isinstance(quote, str):
        return "unreadable"
    quote = " ".join(tidy(quote).split())[:WORDS]
    if (HALVES[answer] or quote) and not occurs(quote, said):
        return ELSEWHERE
    words = " ".join(tidy(why).split())[:WORDS] if isinstance(why, str) else ""
    return {"answer": answer, "why": words, "quote": quote}

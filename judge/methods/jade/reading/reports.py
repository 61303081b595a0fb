"""Reads the checklist of a response, layer 2, out of a reply. Pure.

Claims and items get ids of ours: c1, c2 in the order of their passages in the response, r1, r2 in
the order of the reply. What a reply says in another order is the same checklist.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from judge.asking.prompts.envelope import Ambiguous, UnreadableError, note, read_object, tidy
from judge.methods.base.framing import occurs, plain
from judge.methods.jade.facts import WEIGHTS

MOST_CLAIMS = 12
MOST_ITEMS = 12
MOST_QUERIES = 3
MOST_ROWS = 200  # of a list in a reply; a longer one is not read
WORDS = 600  # characters of a text that are kept
DEFAULT_TOLERANCE = 1.0  # percent, of a number whose tolerance the reply leaves open
RECHECK_DAYS = (1, 7, 30, 90, 365)  # after which an answer that ages is verified again


class ElsewhereError(Exception):
    """The reply quotes what the response does not hold; the message is the quotation."""


class UnknownNameError(Exception):
    """The reply names an id or a number that it was not shown; the message is the name."""


def read_report(
    reply: str,
    response_text: str,
    *,
    sources: Sequence[str],
    lines: Collection[str],
    repaired: list[str],
) -> dict[str, Any]:
    """Return the checklist of a response.

    Args:
        sources: the addresses that the question showed, by their numbers from 1.
        lines: ids of the lines of layer 1 that the question showed; empty for none.
        repaired: takes what was repaired, in words.

    Raises:
        UnreadableError: the reply is not of the form asked for.
        ElsewhereError: a passage does not stand in the response.
        UnknownNameError: a claim, line or source is named that there is not.
    """
    wanted = ("claims", "items", "rests_on") if lines else ("claims", "items")
    value = read_object(reply, wanted, repaired)
    claims = _claims(rows_in(value, "claims"), plain(response_text), sources, repaired)
    items = items_in(rows_in(value, "items"), claims, repaired)
    rests_on = _rests_on(rows_in(value, "rests_on"), claims, lines) if lines else {}
    return bounded(claims, items, rests_on)


def rows_in(value: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    rows = value[name]
    if not isinstance(rows, list) or len(rows) > MOST_ROWS:
        raise UnreadableError(f"“{name}” is no list of at most {MOST_ROWS} entries.")
    for row in rows:
        if not isinstance(row, dict) or isinstance(row, Ambiguous):
            raise UnreadableError(f"An entry of “{name}” is not one object.")
    return rows


def text_in(row: Mapping[str, Any], name: str, *, empty: bool = False) -> str:
    """Return a text of a row, on one line. Raises UnreadableError for none."""
    value = row.get(name)
    if not isinstance(value, str) or not (empty or tidy(value).strip()):
        raise UnreadableError(f"An entry has no “{name}”.")
    return " ".join(tidy(value).split())[:WORDS]


def text_or_none(row: Mapping[str, Any], name: str) -> str | None:
    """Return a text of a row; None for null or an empty one. Raises UnreadableError."""
    value = row.get(name)
    if value is None or value == "":
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return text_in(row, name, empty=True) or None


def names_in(row: Mapping[str, Any], name: str, known: Collection[str]) -> list[str]:
    """Return a list of ids, each once. Raises UnreadableError or UnknownNameError."""
    value = row.get(name)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise UnreadableError(f"“{name}” is no list of ids.")
    found = list(dict.fromkeys(one.strip() for one in value))
    for one in found:
        if one not in known:
            raise UnknownNameError(tidy(one)[:100])
    return found


def _claims(
    rows: Sequence[Mapping[str, Any]], said: str, sources: Sequence[str], repaired: list[str]
) -> dict[str, dict[str, Any]]:
    """Return the claims by the ids of the reply, in the order of the response."""
    found: dict[str, dict[str, Any]] = {}
    same: dict[str, dict[str, Any]] = {}
    for row in rows:
        name = text_in(row, "id")
        if name in found:
            raise UnreadableError("An id is used twice.")
        claim = _claim(row, said, sources)
        words = plain(claim["text"])
        if words in same:  # counted once; what rests on either rests on the one
            note(repaired, "a claim named twice")
        found[name] = same.setdefault(words, claim)
    places = {id(one): (said.find(plain(one["quote"]).strip(" .…")), plain(one["text"]))
              for one in found.values()}  # fmt: skip
    return dict(sorted(found.items(), key=lambda pair: places[id(pair[1])]))


def _claim(row: Mapping[str, Any], said: str, sources: Sequence[str]) -> dict[str, Any]:
    quote = text_in(row, "quote")
    if not occurs(quote, said):
        raise ElsewhereError(quote[:200])
    number = row.get("source")
    if number is not None and type(number) is not int:
        raise UnreadableError("A source is no number.")
    if number is not None and not 1 <= number <= len(sources):
        raise UnknownNameError(f"source {number}")
    queries = row.get("queries")
    if not isinstance(queries, list) or not all(isinstance(one, str) for one in queries):
        raise UnreadableError("“queries” is no list of texts.")
    asked = dict.fromkeys(" ".join(tidy(one).split())[:WORDS] for one in queries)
    text, value = text_in(row, "claim"), text_or_none(row, "value")
    return {
        "text": text,
        "quote": quote,
        "source": sources[number - 1] if number else "",
        "queries": [one for one in asked if one][:MOST_QUERIES] or [text],
        "value": value,
        "unit": text_or_none(row, "unit") if value else None,
        "date": text_or_none(row, "date"),
        "tolerance": _tolerance(row.get("tolerance")) if value else None,
        "recheck_days": _days(row.get("recheck_days")),
    }


def _tolerance(value: Any) -> float:
    if value is None:
        return DEFAULT_TOLERANCE
    if type(value) not in (int, float) or not 0 <= value <= 100:
        raise UnreadableError("A tolerance is no number from 0 to 100.")
    return float(value)


def _days(value: Any) -> int | None:
    if value is not None and (type(value) is not int or value not in RECHECK_DAYS):
        raise UnreadableError("“recheck_days” is none of the numbers offered.")
    return value  # type: ignore[no-any-return]


def items_in(
    rows: Sequence[Mapping[str, Any]], claims: Mapping[str, Any], repaired: list[str]
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    ids: set[str] = set()
    for row in rows:
        name, weight = text_in(row, "id"), row.get("weight")
        if name in ids or name in claims:
            raise UnreadableError("An id is used twice.")
        ids.add(name)
        if type(weight) is not int or weight not in WEIGHTS:
            raise UnreadableError("A weight is none of 5, 10 and -15.")
        text, on = text_in(row, "text"), names_in(row, "claims", claims)
        twin = next((one for one in found if plain(one["text"]) == plain(text)), None)
        if twin is not None:
            if twin["weight"] != weight:
                raise UnreadableError("The reply weighs one item twice.")
            note(repaired, "an item named twice")
            twin["on"] = list(dict.fromkeys([*twin["on"], *on]))
            continue
        found.append({"text": text, "weight": weight, "flaw": weight < 0, "on": on})
    return found


def _rests_on(
    rows: Sequence[Mapping[str, Any]], claims: Mapping[str, Any], lines: Collection[str]
) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        name = text_in(row, "id")
        if name not in lines:
            raise UnknownNameError(name[:100])
        named = names_in(row, "claims", claims)
        found.setdefault(name, {}).update(dict.fromkeys(named))
    return {name: list(on) for name, on in found.items() if on}


def bounded(
    claims: Mapping[str, dict[str, Any]],
    items: Sequence[dict[str, Any]],
    rests_on: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """Return the checklist with ids of ours, without what is beyond the bounds.

    Claims that most items rest on are kept first, then those that stand first in the response; of
    items, the heaviest. So what is kept does not depend on the order of a reply, and a response
    cannot push a claim out by stating many.
    """
    kept_items = sorted(items, key=lambda one: (-abs(one["weight"]), plain(one["text"])))
    kept_items = kept_items[:MOST_ITEMS]
    uses = [{id(claims[name]) for name in one["on"]} for one in kept_items]
    uses += [{id(claims[name]) for name in on} for on in rests_on.values()]
    each = list({id(one): one for one in claims.values()}.values())
    ranked = sorted(each, key=lambda one: -sum(id(one) in used for used in uses))
    kept = {id(one) for one in ranked[:MOST_CLAIMS]}
    ids: dict[int, str] = {}
    for one in each:
        if id(one) in kept:
            ids[id(one)] = f"c{len(ids) + 1}"

    def named(on: Sequence[str]) -> list[str]:
        known = {ids[id(claims[name])] for name in on if id(claims[name]) in ids}
        return sorted(known, key=lambda name: int(name[1:]))

    return {
        "claims": [{"id": ids[id(one)], **one} for one in each if id(one) in ids],
        "items": [
            {
                "id": f"r{n}",
                "text": one["text"],
                "weight": one["weight"],
                "flaw": one["flaw"],
                "depends_on": named(one["on"]),
            }
            for n, one in enumerate(kept_items, start=1)
        ],
        "rests_on": {name: named(on) for name, on in sorted(rests_on.items()) if named(on)},
        "left_out": {"claims": len(each) - len(kept), "items": len(items) - len(kept_items)},
    }

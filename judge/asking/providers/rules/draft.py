"""Cuts a first rubric out of a task and its reference answer. Described in docs/offline.md.

Nothing is invented: every line is a sentence, list item or table cell of the reference, or a
demand of the task, phrased as a check.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from curation.base.text.language import amounts, is_chinese, terms, without_item_number
from judge.asking.providers.inputs import DraftInputs
from judge.asking.providers.rules import phrasing
from judge.asking.providers.rules.dimensions import dimension_of
from judge.asking.providers.rules.passages import Passage, passages
from judge.asking.providers.rules.phrasing import VERB
from judge.asking.providers.rules.remarks import Wishes, read

ENOUGH, MOST = 15, 25
DEMANDS = 8
"""Lines taken from the task itself, at most."""
_TOO_LONG = 400
_COMPARED = 300
"""Statements compared with one another, the most salient first: a book makes no longer rubric."""
_ALIKE = 0.6

_FILLER = re.compile(
    r"(?:here (?:is|are)|in (?:summary|conclusion)\b[,:]?$|as follows|see (?:above|below)|note:?$"
    r"|the following|let(?:'|’)?s |i hope|thank|以下(?:是|为)|综上|总之$|如下|见(?:上|下)文)",
    re.IGNORECASE,
)
_CONNECTIVE = re.compile(
    r"^(?:however|moreover|furthermore|in addition|additionally|consequently|finally|first(?:ly)?"
    r"|second(?:ly)?|third(?:ly)?|also|in particular|as a result|and|but|so|overall|in short"
    r"|in summary|in conclusion|for example|for instance)[,:]\s+"
    r"|^(?:therefore|thus|hence),?\s+"
    r"|^(?:因此|所以|此外|另外|同时|并且|而且|其次|首先|最后|但是?|综上|总之|然而|例如|比如)[，、:：]?\s*",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^(?:it|this|that|these|those|they|he|she|such|both|the (?:former|latter))\b"
    r"|^(?:它|他|她|这|那|其|该|此)",
    re.IGNORECASE,
)
# What tells nobody what it speaks of, out of its place: who is "I", what is "her", above what.
_BOUND = re.compile(
    _LEANING.pattern + r"|^(?:i|we|my|our|his|hers?|its|their)\b|\b(?:the above|as above)\b"
    r"|^[^，。；]{0,12}(?:上述|以上[各这两三]|前者|后者|前半|后半|[两二]者)",
    re.IGNORECASE,
)
_NAME = re.compile(r"\w\s+[A-Z][A-Za-z]+|《|[A-Z]{2,}")
_EXAMPLE = re.compile(
    r"for (?:example|instance)|e\.g\.|optional|nice to have|例如|比如|可选|举例", re.IGNORECASE
)
_CORE = re.compile(
    r"\b(?:must|shall|required|conclu|therefore|total|result|decid|recommend|prohibit|deadline"
    r"|at least|at most|no later)|必须|应当|结论|合计|总计|不得|至少|最多|建议|期限|因此",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r",\s+(?:and|but|while|whereas)\s+(?!not\b)", re.IGNORECASE)
# A Chinese clause after a comma often borrows its subject; only these begin a new thought.
_HAN_CLAUSE = re.compile("，(?=此外|另外|与此同时)")
# A semicolon, and the colon before the first item of a numbered list.
_DIVIDED = re.compile(r"[;；]\s*|[:：]\s{0,3}(?=[(（](?:1|a|i|一)[)）])")
# A condition that leaves out what it speaks of.
_ELLIPTIC = re.compile(
    r"\b(?:if|when|once|until|unless) (?:still )?(?:below|above|over|under|less|more|fewer|higher"
    r"|lower|normal|abnormal|raised|positive|negative|outside|within)\b",
    re.IGNORECASE,
)
_POLITE = re.compile(r"^(?:please\s+|you (?:must|should|need to)\s+|请你?|需要?)", re.IGNORECASE)


@dataclass(frozen=True)
class _Statement:
    """One atomic statement on its way to becoming a line; `source` is how the text put it."""

    line: str
    source: str
    quote: str
    words: frozenset[str]
    order: int
    demand: bool
    figures: frozenset[float]
    salience: float = 0.0


def draft(inputs: DraftInputs) -> dict[str, Any]:
    """Lines of a first rubric, in the shape a model would send them."""
    task = inputs.task
    # Rules cannot translate: lines are in the language of what they are cut from.
    chinese = is_chinese(inputs.reference_answer or task.requirements)
    reference = passages(inputs.reference_answer)
    asked = terms(task.requirements)
    wishes = read(inputs.remarks)
    most = wishes.most or MOST
    demands = _distinct(
        (
            demand
            for demand in islice(_demands(task.requirements, reference, chinese), _COMPARED)
            if not wishes.refuses(demand.words)
        ),
        [],
    )[: min(DEMANDS, most)]
    facts = [
        _weighed(fact, asked, wishes)
        for fact in _facts(reference, chinese, start=len(demands) + 1_000)
        if not wishes.refuses(fact.words)
    ]
    kept = _distinct(_by_salience(facts)[:_COMPARED], demands)
    upright = [fact for fact in kept if not _leans(fact)]
    if len(demands) + len(upright) >= min(ENOUGH, most):
        kept = upright
    kept = kept[: most - len(demands)]
    chosen = [*demands, *sorted(kept, key=lambda fact: fact.order)]
    # A rubric in which everything is essential ranks nothing: only the leading facts are.
    leading = frozenset(fact.order for fact in _by_salience(kept)[: max(1, len(kept) // 4)])
    return {"lines": [_line(statement, statement.order in leading) for statement in chosen]}


def _by_salience(facts: list[_Statement]) -> list[_Statement]:
    """The facts, the weightiest first; equals stay in the order of the text."""
    return sorted(facts, key=lambda fact: (-fact.salience, fact.order))


def _demands(requirements: str, reference: list[Passage], chinese: bool) -> Iterator[_Statement]:
    """What the task asks for in so many words, with the passage of the reference that answers."""
    readable = [(passage, terms(passage.text)) for passage in reference]
    for order, passage in enumerate(passages(requirements)):
        for part in _split(passage.text, chinese):
            text = _POLITE.sub("", without_item_number(part)).strip()
            words = terms(text)
            if not words or len(text) > _TOO_LONG or _FILLER.match(text) or _size(text) < 3:
                continue
            line = phrasing.demand(text, passage.heading, short=_size(text) < 5)
            yield _Statement(
                line, text, _nearest(words, readable), words, order, True, _figures(text)
            )


def _nearest(words: frozenset[str], readable: list[tuple[Passage, frozenset[str]]]) -> str:
    """The passage sharing most words with a demand; none if it shares less than a fifth."""
    best, held = "", 0
    for passage, own in readable:
        shared = len(words & own)
        if shared > held and shared >= max(2, len(words) / 5):
            best, held = passage.quote, shared
    return best


def _facts(reference: list[Passage], chinese: bool, *, start: int) -> Iterator[_Statement]:
    order = start
    for passage in reference:
        for line, source in _checks(passage, chinese):
            order += 1
            words = terms(f"{passage.heading} {source}" if _size(source) < 5 else source)
            if words:
                yield _Statement(line, source, passage.quote, words, order, False, _figures(source))


def _checks(passage: Passage, chinese: bool) -> Iterator[tuple[str, str]]:
    """(line, statement) pairs of one passage."""
    if passage.cells:
        for row, column, value in passage.cells:
            # Dashes stand for "nothing to say here".
            if value.strip("-–—/ "):
                line = phrasing.cell(row, column, value, chinese)
                yield line, f"{row} {column.lower()} {value}"
        return
    if passage.kind == "row" or passage.text[-1:] in "?？":
        return
    for part in _split(passage.text, chinese):
        # The number of a heading in bold is taken off with the heading.
        has_heading = phrasing.run_in(passage.quote, part)[1] != part
        unnumbered = part if has_heading else without_item_number(part)
        text = _CONNECTIVE.sub("", unnumbered, count=1).strip(" ;；,，")
        if not text or len(text) > _TOO_LONG or _FILLER.search(text[:40]):
            continue
        short = _size(text) < 5
        if short and not (amounts(text) or (passage.kind == "item" and passage.heading)):
            continue
        # The connective stays in the source: "therefore" and "for example" tell what counts.
        head, body = phrasing.run_in(passage.quote, text)
        bound = bool(_BOUND.search(body))
        head = head or (passage.heading if short or bound else "")
        if bound and not head and _says_nothing_alone(body, chinese):
            continue
        yield phrasing.fact(body, head, chinese), part


def _says_nothing_alone(text: str, chinese: bool) -> bool:
    """Of a sentence that leans on another one: no figure and no name in it is lost without it.

    Chinese does not mark names, so only a very short sentence surely holds none.
    """
    if amounts(text) or _NAME.search(text):
        return False
    return not chinese or _size(text) < 8


def _split(text: str, chinese: bool) -> list[str]:
    """Atomic parts: always at semicolons, at a conjunction only between two whole clauses."""
    parts = []
    for piece in _DIVIDED.split(text):
        cuts = _HAN_CLAUSE.finditer(piece) if chinese else _CLAUSE.finditer(piece)
        start = 0
        for cut in cuts:
            left, right = piece[start : cut.start()], piece[cut.end() :]
            if _is_clause(left, chinese) and _is_clause(right, chinese):
                parts.append(left)
                start = cut.end()
        parts.append(piece[start:])
    whole: list[str] = []
    for part in parts:
        if whole and _ELLIPTIC.search(part):  # "heparin if below 2.0": below 2.0 of what?
            whole[-1] += f"; {part.strip()}"
        elif part.strip():
            whole.append(part.strip())
    # "a; b; c" of two words each is an enumeration: its parts mean nothing alone.
    return whole if all(_size(part) >= 4 for part in whole) else [text]


def _is_clause(text: str, chinese: bool) -> bool:
    if chinese:
        return len(text) >= 8
    return len(text.split()) >= 4 and bool(VERB.search(text)) and not _LEANING.match(text)


def _size(text: str) -> float:
    """Length in words; three Chinese characters count as two."""
    return len(text) * 2 / 3 if is_chinese(text) else len(text.split())


def _weighed(fact: _Statement, asked: frozenset[str], wishes: Wishes) -> _Statement:
    """Salience: figures, conclusions, names and what the task and the author's remarks ask about;
    leaning sentences and asides lose."""
    size = _size(fact.source)
    asked_for = len(fact.words & asked) / len(fact.words)
    score = 2.0 * min(len(fact.figures), 2) + 3.0 * asked_for
    score += 6.0 * wishes.favour(fact.words)
    score += 1.5 * bool(_CORE.search(fact.source))
    score += 1.0 * bool(_NAME.search(fact.source))
    score -= 2.0 * _leans(fact) + 1.5 * bool(_EXAMPLE.search(fact.source))
    score -= 1.0 * (size > 40) + 1.0 * (size < 4)
    return replace(fact, salience=score)


def _figures(text: str) -> frozenset[float]:
    return frozenset(round(amount.value, 6) for amount in amounts(text))


def _leans(fact: _Statement) -> bool:
    """Whether it begins with a pronoun, so that nobody knows what it speaks of."""
    return bool(_LEANING.match(_CONNECTIVE.sub("", fact.source, count=1)))


def _distinct(statements: Iterable[_Statement], earlier: list[_Statement]) -> list[_Statement]:
    """Those that do not say again what an earlier one says (Jaccard of terms and same figures)."""
    kept = list(earlier)
    fresh: list[_Statement] = []
    for statement in statements:
        if not any(_alike(statement, other) for other in kept):
            kept.append(statement)
            fresh.append(statement)
    return fresh


def _alike(a: _Statement, b: _Statement) -> bool:
    if a.line.casefold() == b.line.casefold():
        return True
    shared = len(a.words & b.words) / max(1, len(a.words | b.words))
    return shared >= _ALIKE and a.figures == b.figures


def _line(statement: _Statement, leading: bool) -> dict[str, Any]:
    importance, weight = _importance(statement, leading)
    return {
        "text": " ".join(statement.line.split()),
        "importance": importance,
        "weight": weight,
        "dimension": dimension_of(statement.source, demand=statement.demand),
        "quote": statement.quote,
    }


def _importance(statement: _Statement, leading: bool) -> tuple[str, int]:
    """Demands and the leading quarter of the findings are essential (7–9), examples optional
    (1–3), the rest important (4–6); within a class the salience decides."""
    if _EXAMPLE.search(statement.source):
        return "optional", 3 if statement.figures else 2
    if statement.demand:
        return "essential", 9 if statement.quote else 8
    if (
        leading
        and statement.salience >= 3.5
        and (statement.figures or _CORE.search(statement.source))
    ):
        return "essential", 8 if statement.salience >= 5 else 7
    if statement.salience < 0:
        return "optional", 3
    return "important", 6 if statement.salience >= 3 else 5 if statement.salience >= 1.5 else 4

"""Cuts a first rubric out of a task and its reference answer. Described in docs/offline.md.

Nothing is invented: every line is a demand of the task, or a sentence, list item or table cell of
the reference, behind a word that makes it a check.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from curation.base.text.language import amounts, is_chinese, is_negated, terms, without_item_number
from judge.asking.providers.inputs import DraftInputs
from judge.asking.providers.rules.passages import Passage, passages

MOST, DEMANDS = 25, 8  # lines at most, and those of them that the task itself demands
_COMPARED = 300  # statements compared with one another: a book makes no longer rubric
_TOO_LONG, _ALIKE, _HALF = 400, 0.6, 0.5

_FILLER = re.compile(
    r"(?:here (?:is|are)|in (?:summary|conclusion)\b|as follows|see (?:above|below)|note:?$"
    r"|the following|i hope|thank|以下(?:是|为)|综上|总之|如下|见(?:上|下)文)",
    re.IGNORECASE,
)
_CONNECTIVE = re.compile(
    r"^(?:however|moreover|in addition|therefore|thus|hence|finally|also|and|but|so)[,:]?\s+"
    r"|^(?:因此|所以|此外|另外|同时|其次|首先|最后|但是?|然而)[，、:：]?\s*",
    re.IGNORECASE,
)
# What tells nobody what it speaks of, out of its place.
_LEANING = re.compile(
    r"^(?:it|this|that|these|those|they|he|she|i|we|her|his|their|its|both|such)\b"
    r"|^(?:它|他|她|这|那|其|该|此|上述|前者|后者)",
    re.IGNORECASE,
)
_LOWERABLE = re.compile(r"(?:The|An?|There|All|Each|Every|No)(?= [a-z0-9])")
_EXAMPLE = re.compile(r"for (?:example|instance)|e\.g\.|optional|例如|比如|可选", re.IGNORECASE)
_CORE = re.compile(
    r"\b(?:must|shall|required|therefore|total|result|recommend|prohibit|deadline|at least|at most)"
    r"|必须|应当|结论|合计|总计|不得|至少|最多|建议|期限|因此",
    re.IGNORECASE,
)
_DIMENSIONS = tuple(
    (key, re.compile(pattern, re.IGNORECASE))
    for key, pattern in (
        ("safety", r"\b(?:safety|hazard|danger|harm|toxic)|安全|危险|禁忌"),
        ("compliance", r"\b(?:complian|regulat|statut|legal|licen[cs]|audit)|合规|法规|监管|《"),
        (
            "constraint_satisfaction",
            r"\b(?:at most|at least|no more than|not exceed|within \d|limit|budget|deadline)"
            r"|不超过|不得|至少|最多|以内|预算|期限",
        ),
        ("structure", r"\b(?:table|heading|format|section|template)|表格|格式|标题|结构"),
        ("logical_coherence", r"\b(?:because|therefore|thus|due to)|因为|因此|所以|导致|由于"),
    )
)
# The number of lines that an author's remarks on an earlier draft allow, and what they leave out.
_LINES = re.compile(
    r"(?<![\d.])(\d{1,2})\s*(?:lines?|checks?|points)\b|(\d{1,2})\s*[条項项行]", re.IGNORECASE
)
_DROPS = re.compile(r"\b(?:nothing|drop|remove|omit|leave out|less|fewer)\b|删除|去掉|减少", re.I)
_SENTENCE = re.compile(r"[^.!?;\n。！？；]+")
_ABOUT_DRAFTS = terms(
    "line lines check checks draft drafts rubric more less fewer points please nothing drop remove "
    "omit leave focus include add another 草稿 检查 评分 要点 增加 删除 去掉 减少 更多"
)


@dataclass(frozen=True)
class _Statement:
    """A statement on its way to becoming a line; `source` is how the text put it."""

    line: str
    source: str
    quote: str
    words: frozenset[str]
    order: int
    demand: bool = False

    @property
    def figures(self) -> frozenset[float]:
        return frozenset(round(amount.value, 6) for amount in amounts(self.source))


def draft(inputs: DraftInputs) -> dict[str, Any]:
    """Lines of a first rubric, in the shape a model would send them."""
    task = inputs.task
    # Rules cannot translate: lines are in the language of what they are cut from.
    chinese = is_chinese(inputs.reference_answer or task.requirements)
    reference = passages(inputs.reference_answer)
    most, wanted, unwanted = _wishes(inputs.remarks)
    asked = terms(task.requirements)

    def welcome(found: Iterator[_Statement]) -> list[_Statement]:
        kept = (
            one
            for one in found
            if not any(len(one.words & out) >= _HALF * len(out) for out in unwanted)
        )
        return list(islice(kept, _COMPARED))

    def weight(fact: _Statement) -> tuple[float, int]:
        score = 3.0 * len(fact.words & asked) / len(fact.words) + bool(_CORE.search(fact.source))
        score += 2.0 * min(len(fact.figures), 2) + 6.0 * len(fact.words & wanted) / len(fact.words)
        return -score, fact.order

    demands = _distinct(welcome(_demands(task.requirements, reference)), [])
    demands = demands[: min(DEMANDS, most)]
    facts = _distinct(sorted(welcome(_facts(reference, chinese)), key=weight), demands)
    facts = facts[: most - len(demands)]
    # A rubric in which everything is essential ranks nothing: only the leading facts are.
    leading = frozenset(fact.order for fact in facts[: max(1, len(facts) // 4)])
    chosen = [*demands, *sorted(facts, key=lambda fact: fact.order)]
    return {"lines": [_line(one, one.order in leading) for one in chosen]}


def _wishes(remarks: str) -> tuple[int, frozenset[str], list[frozenset[str]]]:
    """Return the number of lines at most, the terms wanted, and those of each thing unwanted."""
    numbers = [int(a or b) for a, b in _LINES.findall(remarks)]
    wanted: set[str] = set()
    unwanted = []
    for sentence in _SENTENCE.findall(_LINES.sub(" ", remarks)):
        words = terms(sentence) - _ABOUT_DRAFTS
        if words and (is_negated(sentence) or _DROPS.search(sentence)):
            unwanted.append(words)
        else:
            wanted |= words
    most = next((number for number in numbers if 1 <= number <= MOST), MOST)
    return most, frozenset(wanted), unwanted


def _demands(requirements: str, reference: list[Passage]) -> Iterator[_Statement]:
    """What the task asks for in so many words, with the passage of the reference that answers."""
    readable = [(passage, terms(passage.text)) for passage in reference]
    parts = (part for passage in passages(requirements) for part in _parts(passage.text))
    for text in parts:
        words = terms(text)
        if words and len(text) <= _TOO_LONG and not _FILLER.match(text):
            near = max(readable, key=lambda one: len(words & one[1]), default=None)
            enough = near is not None and len(words & near[1]) >= max(2, len(words) / 5)
            quote = near[0].quote if near and enough else ""
            yield _Statement(text, text, quote, words, 0, demand=True)


def _facts(reference: list[Passage], chinese: bool) -> Iterator[_Statement]:
    order = 0
    for passage in reference:
        for line, source in _checks(passage, chinese):
            order += 1
            words = terms(f"{passage.heading} {source}")
            if words:
                yield _Statement(line, source, passage.quote, words, order)


def _checks(passage: Passage, chinese: bool) -> Iterator[tuple[str, str]]:
    """Yield (line, statement) of one passage."""
    for row, column, value in passage.cells:
        if value.strip("-–—/ "):  # dashes stand for "nothing to say here"
            yield (
                (
                    f"给出“{row}”的“{column}”：{value}"
                    if chinese
                    else f"Gives “{column}” for “{row}”: {value}"
                ),
                f"{row} {column.lower()} {value}",
            )
    if not passage.cells and passage.kind != "row":
        for part in _parts(passage.text):
            if line := _check(part, passage.heading, chinese):
                yield line, part


def _parts(text: str) -> list[str]:
    """Return what stands between semicolons; the whole where a part would mean nothing alone."""
    parts = [part.strip() for part in re.split(r"[;；]\s*", text)]
    found = parts if all(len(terms(part)) >= 2 for part in parts) else [text]
    return [without_item_number(part).strip() for part in found]


def _check(part: str, heading: str, chinese: bool) -> str:
    """Return a statement as a line; "" for one that says nothing alone."""
    text = _CONNECTIVE.sub("", part, count=1).strip(" ,，")
    leaning = bool(_LEANING.match(text))
    head = heading if leaning or len(terms(text)) < 3 else ""
    if text[-1:] in ("", "?", "？") or len(text) > _TOO_LONG or _FILLER.match(text):
        return ""
    says = bool(amounts(text)) or len(terms(text)) > 2 * leaning
    if (leaning and not head) or not says:
        return ""
    if chinese:
        return f"就“{head}”指出：{text}" if head else f"指出：{text}"
    if head:
        return f"States under “{head}”: {text}"
    if _LOWERABLE.match(text):
        return f"States that {text[0].lower()}{text[1:]}"
    return f"States: {text}"


def _distinct(statements: Iterable[_Statement], earlier: list[_Statement]) -> list[_Statement]:
    """Return those that do not say again what an earlier one says."""
    kept = list(earlier)
    for one in statements:
        if not any(_alike(one, other) for other in kept):
            kept.append(one)
    return kept[len(earlier) :]


def _alike(a: _Statement, b: _Statement) -> bool:
    shared = len(a.words & b.words) / max(1, len(a.words | b.words))
    return a.line.casefold() == b.line.casefold() or (shared >= _ALIKE and a.figures == b.figures)


def _line(one: _Statement, leading: bool) -> dict[str, Any]:
    importance, weight = "important", 5 if one.figures else 4
    if _EXAMPLE.search(one.source):
        importance, weight = "optional", 3 if one.figures else 2
    elif one.demand:
        importance, weight = "essential", 9 if one.quote else 8
    elif leading and (one.figures or _CORE.search(one.source)):
        importance, weight = "essential", 7
    other = "accuracy" if one.figures else "domain_expertise"
    found = [key for key, pattern in _DIMENSIONS if pattern.search(one.source)]
    return {
        "text": " ".join(one.line.split()),
        "importance": importance,
        "weight": weight,
        "dimension": (found or ["instruction_following" if one.demand else other])[0],
        "quote": one.quote,
    }

"""Judges a response by the evidence its words give for each line. Described in docs/offline.md."""

import math
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from curation.base.text.language import (
    Amount,
    amounts,
    check_terms,
    denied_terms,
    is_chinese,
    is_negated,
    terms,
)
from judge.asking.providers.inputs import Criterion, Exemplar, JudgeInputs, TaskText
from judge.asking.providers.rules.passages import passages, plain

THRESHOLD = 0.5
"""Evidence from which a line is met, unless an exemplar says otherwise."""
LOWEST, HIGHEST = 0.2, 0.8
"""How far an exemplar may move it: seventeen lines of one answer are not much to go by."""

_LOCAL, _GLOBAL = 0.7, 0.3
_NUMBERS = 0.4
_ELSEWHERE = 0.5
_CONTRADICTED = 0.4
_KNOWN_FROM_TASK = 0.5
_QUOTED = 160
# A line that forbids the response something; a denial further on is part of what it asks for.
_BAN = re.compile(
    r"^\W*+(?:the (?:response|answer|report) |it )?(?:"
    r"(?:does|do|did|must|should|may|can|will) ?(?:not|n['’]t|never)\b|cannot\b|never\b"
    r"|(?:avoids?|refrains?|omits?)\b"
    r"|(?:contains?|makes?|gives?|names?|proposes?|recommends?|uses?|adds?|invents?) no\b)"
    r"|^\W*+(?:回答|答卷|答案|报告|方案)?中?(?:不(?![仅但只同断可])|没有|未(?!来)|禁止|避免|切?勿)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """A response made searchable."""

    sentences: tuple[str, ...]
    where: dict[str, frozenset[int]]
    amounts: tuple[tuple[Amount, frozenset[int]], ...]


@dataclass(frozen=True)
class Evidence:
    """What speaks for one line: a share from 0 to 1, `None` where nothing can be weighed.

    Of a ban, `turned` says whether the share was turned round, and `silent` that it was not
    because the response does not speak of the matter.
    """

    score: float | None
    sentence: str = ""
    found: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    turned: bool = False
    silent: bool = False


@dataclass(frozen=True)
class _Line:
    """A criterion made searchable: its terms with their weights, its amounts, its polarity.

    Attributes:
        ban: whether it forbids the response something.
        denied: of any other line, the terms that it denies itself.
        matter: terms of the line and its task.
    """

    weights: dict[str, float]
    amounts: tuple[Amount, ...]
    ban: bool
    denied: frozenset[str]
    matter: frozenset[str]


def judge(inputs: JudgeInputs) -> dict[str, Any]:
    """Verdicts on the wanted lines, in the shape a model would send them."""
    task_words = _task_words(inputs.task)
    lines = _lines(tuple((line.id, line.text) for line in inputs.criteria), task_words)
    reading = read(inputs.response_text)
    threshold = THRESHOLD
    if inputs.exemplar is not None:
        threshold = _calibrated(lines, inputs.exemplar)
    wanted = set(inputs.wanted)
    verdicts = [
        _verdict(line, weigh(lines[line.id], reading), threshold, reading)
        for line in inputs.criteria
        if line.id in wanted
    ]
    return {"verdicts": verdicts}


def calibrate(
    task: TaskText, criteria: Sequence[Criterion], exemplar: Exemplar
) -> tuple[float, dict[str, float | None]]:
    """The threshold an anchor teaches, and the evidence of each of its lines."""
    lines = _lines(tuple((line.id, line.text) for line in criteria), _task_words(task))
    reading = read(exemplar.response_text)
    scores = {name: weigh(line, reading).score for name, line in lines.items()}
    return _calibrated(lines, exemplar), scores


def best_threshold(scored: Sequence[tuple[float, bool]]) -> float:
    """The threshold that separates TRUE from FALSE best.

    Balanced accuracy (TPR + TNR) / 2 where both outcomes occur, else the share of right ones. The
    candidates are the default and the midpoints between neighbouring scores, kept between LOWEST
    and HIGHEST; of equally good ones the nearest to the default wins.
    """
    if not scored:
        return THRESHOLD
    values = sorted({score for score, _ in scored})
    between = [(a + b) / 2 for a, b in zip(values, values[1:], strict=False)]
    edges = [values[0] - 0.01, values[-1] + 0.01]
    options = {min(HIGHEST, max(LOWEST, option)) for option in (*between, *edges)} | {THRESHOLD}
    trues = sorted(score for score, met in scored if met)
    falses = sorted(score for score, met in scored if not met)

    def quality(option: float) -> float:
        hits = len(trues) - bisect_left(trues, option)
        passes = bisect_left(falses, option)
        if trues and falses:
            return (hits / len(trues) + passes / len(falses)) / 2
        return (hits + passes) / len(scored)

    return min(options, key=lambda option: (-quality(option), abs(option - THRESHOLD), option))


@lru_cache(maxsize=64)
def read(text: str) -> Reading:
    """Sentences with the places of every term. Kept, for a response is judged line by line too."""
    found = passages(text)
    shown: list[str] = []
    numbers: dict[tuple[float, str], tuple[Amount, list[int]]] = {}
    where: dict[str, list[int]] = {}
    for n, passage in enumerate(found):
        shown.append(passage.text)
        for amount in amounts(passage.text):
            numbers.setdefault((amount.value, amount.unit), (amount, []))[1].append(n)
        # A heading's words belong to what stands under it: "Risks" is often said only there.
        for term in terms(passage.text) | terms(passage.heading):
            where.setdefault(term, []).append(n)
    return Reading(
        tuple(shown),
        {term: frozenset(places) for term, places in where.items()},
        tuple((amount, frozenset(places)) for amount, places in numbers.values()),
    )


def weigh(line: _Line, reading: Reading) -> Evidence:
    """The evidence a response holds for a line."""
    if not line.weights and not line.amounts:
        return Evidence(None)
    if not reading.sentences:
        return Evidence(0.0, lacking=tuple(line.weights))

    total = sum(line.weights.values())
    local: dict[int, float] = defaultdict(float)
    for term, weight in line.weights.items():
        for n in reading.where.get(term, ()):
            local[n] += weight
    # For every amount of the line, the sentences in which it stands.
    agreeing = [
        frozenset[int]().union(*(places for b, places in reading.amounts if a.agrees(b)))
        for a in line.amounts
    ]
    numbers_at = Counter(n for places in agreeing for n in places)

    def nearness(n: int) -> float:
        # A thought may run over two sentences; the neighbour counts half.
        window = local.get(n, 0.0) + 0.5 * max(local.get(n - 1, 0.0), local.get(n + 1, 0.0))
        return window + numbers_at[n] * (0.3 * total or 1.0)

    places = {*local, *numbers_at} or {0}
    best = max(places, key=lambda n: (nearness(n), -n))
    found = tuple(term for term in line.weights if term in reading.where)
    lacking = tuple(term for term in line.weights if term not in reading.where)
    share = 1.0
    if total:
        covered = sum(line.weights[term] for term in found) / total
        share = _LOCAL * _around(best, line, reading) / total + _GLOBAL * covered
    if line.amounts:
        right = sum(
            1.0 if best in places else _ELSEWHERE * bool(places) for places in agreeing
        ) / len(agreeing)
        share = (1 - _NUMBERS) * share + _NUMBERS * right if total else right
        # The right words around a wrong figure are the commonest mistake there is.
        share *= (1 + right) / 2

    sentence = reading.sentences[best]
    denied = _is_denied(line, sentence)
    silent = line.ban and line.matter.isdisjoint(reading.where)
    # A line that forbids something: what speaks for the forbidden thing speaks against it, unless
    # the response rejects it in as many words.
    turned = line.ban and not denied and not silent
    if turned:
        share = 1 - share
    elif denied and not line.ban:
        share *= _CONTRADICTED
    return Evidence(share, sentence, found, lacking, turned, silent)


def _is_denied(line: _Line, sentence: str) -> bool:
    """Return whether a sentence denies most of what it shares with a line, or says most of what the
    line denies."""
    if not line.weights:  # figures alone
        return is_negated(sentence)
    denied = denied_terms(sentence)
    shared = terms(sentence) & line.weights.keys()
    other = sum(line.weights[term] for term in shared if (term in denied) != (term in line.denied))
    return 2 * other > sum(line.weights[term] for term in shared)


def _around(best: int, line: _Line, reading: Reading) -> float:
    """Weight of the terms in a sentence, those only in a neighbour counting half."""
    held = 0.0
    for term, weight in line.weights.items():
        places = reading.where.get(term, ())
        if best in places:
            held += weight
        elif best - 1 in places or best + 1 in places:
            held += weight / 2
    return held


def _calibrated(lines: dict[str, _Line], exemplar: Exemplar) -> float:
    reading = read(exemplar.response_text)
    scored = []
    for name, (met, _) in exemplar.verdicts.items():
        if name in lines:
            score = weigh(lines[name], reading).score
            if score is not None:
                scored.append((score, bool(met)))
    return best_threshold(scored)


@lru_cache(maxsize=64)
def _lines(criteria: tuple[tuple[str, str], ...], task_words: frozenset[str]) -> dict[str, _Line]:
    """Every criterion with its terms weighed: rare in the rubric weighs more, known from the task
    weighs half, because every response repeats the words of its task."""
    each = {name: check_terms(text) for name, text in criteria}
    frequency = Counter(term for found in each.values() for term in found)
    lines = {}
    for name, text in criteria:
        weights = {
            term: math.log(1 + (1 + len(criteria)) / frequency[term])
            * (_KNOWN_FROM_TASK if term in task_words else 1.0)
            for term in sorted(each[name])
        }
        ban = bool(_BAN.match(text))
        denied = frozenset[str]() if ban else denied_terms(text)
        matter = each[name] | task_words
        lines[name] = _Line(weights, _figures(text), ban, denied, matter)
    return lines


def _figures(text: str) -> tuple[Amount, ...]:
    """The amounts of a line. A bare number up to twelve counts things ("two risks"), and no
    response repeats it; it is left out."""
    return tuple(
        amount
        for amount in amounts(text)
        if amount.unit or amount.value > 12 or not amount.value.is_integer()
    )


@lru_cache(maxsize=64)
def _task_words(task: TaskText) -> frozenset[str]:
    return terms(f"{task.title}\n{task.scenario}\n{task.requirements}")


def _verdict(
    line: Criterion, evidence: Evidence, threshold: float, reading: Reading
) -> dict[str, Any]:
    chinese = is_chinese(line.text)
    if evidence.score is None:
        why = (
            "这一行没有可供比对的实词。"
            if chinese
            else "The line has no content words to look for."
        )
        return {"id": line.id, "why": why, "met": None}
    if not reading.sentences:
        why = "回答没有正文。" if chinese else "The response holds no text."
        return {"id": line.id, "why": why, "met": False}
    if evidence.silent:
        why = (
            "这一行是禁止性要求，但回答没有谈及此事。"
            if chinese
            else "The line forbids something, but the response does not speak of the matter."
        )
        return {"id": line.id, "why": why, "met": False}
    met = evidence.score >= threshold
    quote = plain(evidence.sentence)
    quote = quote if len(quote) <= _QUOTED else quote[:_QUOTED].rstrip() + "…"
    lacking = "" if evidence.turned else ", ".join(evidence.lacking[:4])
    if chinese:
        why = "这一行是禁止性要求，证据取反。" if evidence.turned else ""
        why += f"最接近的一句：“{quote}”（证据 {evidence.score:.2f}，阈值 {threshold:.2f}"
        why += f"；未见：{lacking}）" if lacking else "）"
    else:
        why = "The line forbids this: evidence turned round. " if evidence.turned else ""
        why += f"Closest passage: “{quote}” (evidence {evidence.score:.2f} of {threshold:.2f}"
        why += f"; not found: {lacking})" if lacking else ")"
    return {"id": line.id, "why": why, "met": met}

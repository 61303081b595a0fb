"""Cells as values of the contract, and the words by which people name its choices.

What cannot be read as the field wants it stays as it is: the import itself says what is wrong.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.utils import translation

from judge.gold.transfer.import_fields import Form
from judge.gold.transfer.scores import KINDS
from judge.scoring.sheets.models import Sheet
from rubrics.policy.dimensions import TASK_DIMENSIONS, Importance

_ABSTAINED = {"null", "none", "na", "n/a", "-", "–", "abstain", "abstained", "enthalten", "弃权"}
_MET = {
    "1", "true", "yes", "y", "met", "x", "✓", "ja", "wahr", "erfüllt", "是", "满足", "通过", "对",
    "符合",
}  # fmt: skip
_UNMET = {
    "0", "false", "no", "n", "unmet", "not met", "nein", "falsch", "nicht erfüllt", "否", "不满足",
    "未满足", "不通过", "错", "不符合",
}  # fmt: skip
_CHOICES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "rubric.importance": {
        Importance.ESSENTIAL: (
            "must", "must have", "critical", "required", "core", "wesentlich", "essenziell", "muss",
            "unverzichtbar", "必要", "必须", "必需", "关键", "核心",
        ),
        Importance.IMPORTANT: ("should", "wichtig", "soll", "重要"),
        Importance.OPTIONAL: (
            "could", "nice to have", "bonus", "kann", "wünschenswert", "可选", "选做", "加分",
        ),
    },
    "rubric.dimension": {
        "instruction_following": ("anweisungstreue", "遵循指令", "指令遵循"),
        "accuracy": ("correctness", "richtigkeit", "genauigkeit", "正确性", "准确性"),
        "completeness": ("vollständigkeit", "完整性"),
        "logical_coherence": ("logic", "coherence", "logik", "逻辑性", "逻辑"),
        "domain_expertise": ("expertise", "fachwissen", "专业性"),
        "structure": ("structure and format", "format", "struktur", "aufbau", "结构", "格式"),
        "linguistic_quality": ("language", "style", "sprache", "stil", "语言质量"),
        "safety": ("risk", "sicherheit", "risiko", "安全"),
        "compliance": ("konformität", "合规", "合规性"),
        "novelty": ("creativity", "originality", "neuheit", "创新性", "新颖性"),
        "depth": ("depth", "tiefe", "深度"),
        "other": ("sonstiges", "andere", "其他", "其它"),
    },
    "kind": {
        Sheet.Kind.EXPERT: (
            "human", "person", "experte", "expertin", "mensch", "专家", "人工", "人",
        ),
        Sheet.Kind.JUDGE: ("model", "llm", "machine", "ai", "richter", "modell", "模型", "机器"),
    },
}  # fmt: skip
_LISTED = re.compile(r"[;,；，、\n]")  # noqa: RUF001 - full-width separators are meant


def folded(words: Any) -> str:
    """Return a name as it is compared: lower case, with spaces for hyphens and underscores."""
    return " ".join(str(words).casefold().replace("_", " ").replace("-", " ").split())


def targets(field: str, domains: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Return the values that a field can have -> how it is called on pages.

    Args:
        domains: key -> its names; the first one is shown.
    """
    if field == "domain":
        return {key: next(iter(names)) for key, names in domains.items()}
    if field == "rubric.dimension":
        return {one.value: str(one.label) for one in TASK_DIMENSIONS}
    if field == "rubric.importance":
        return {value: str(label) for value, label in Importance.choices}
    return {kind: str(Sheet.Kind(kind).label) for kind in KINDS}


def names_of(field: str, domains: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Return each known name of a value of the field, folded -> the value."""
    found: dict[str, str] = {}
    if field == "domain":
        for key, names in domains.items():
            found |= dict.fromkeys(map(folded, (key, *names)), key)
        return found
    for code, _label in settings.LANGUAGES:
        with translation.override(code):
            found |= {folded(label): value for value, label in targets(field, {}).items()}
    for value, names in _CHOICES.get(field, {}).items():
        found |= dict.fromkeys(map(folded, names), str(value))
    return found | {folded(value): value for value in targets(field, {})}


def read_cell(cell: Any, form: Form, *, decimal_comma: bool) -> Any:
    """Return a cell that is not empty as the field wants it; as it is where it cannot be."""
    return _READERS[form](cell, decimal_comma)


def _text(cell: Any, _comma: bool) -> Any:
    return cell.strip() if isinstance(cell, str) else json.dumps(cell)


def _number(cell: Any, comma: bool) -> Any:
    if not isinstance(cell, str):
        return cell
    words = cell.strip()
    if comma and re.fullmatch(r"-?\d+,\d+", words):
        words = words.replace(",", ".")
    try:
        return (
            float(words)
            if re.fullmatch(r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?", words)
            else cell
        )
    except ValueError:
        return cell


def _integer(cell: Any, comma: bool) -> Any:
    number = _number(cell, comma)
    whole = isinstance(number, float) and number.is_integer() and abs(number) < 1e15
    return int(number) if whole else cell if isinstance(number, float) else number


def _yes_no(cell: Any, _comma: bool) -> Any:
    words = str(cell).strip().casefold()
    return True if words in _MET else False if words in _UNMET else cell


def _list(cell: Any, _comma: bool) -> Any:
    words = str(cell).strip()
    if words.startswith("["):
        return _json(words, False)
    return [part.strip() for part in _LISTED.split(words) if part.strip()]


def _json(cell: Any, _comma: bool) -> Any:
    if not isinstance(cell, str):
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell


def met(cell: Any) -> Any:
    """Return the score of one line: 1, 0 or None; the cell itself for other words."""
    if isinstance(cell, float) and cell.is_integer():  # a CSV's "1" was read as a number
        cell = int(cell)
    words = str(cell).strip().casefold()
    if not words or words in _ABSTAINED:
        return None
    return 1 if words in _MET else 0 if words in _UNMET else cell


_READERS = {
    Form.TEXT: _text,
    Form.INTEGER: _integer,
    Form.NUMBER: _number,
    Form.MET: _number,  # a score of the whole response; that of a line goes through `met`
    Form.YES_NO: _yes_no,
    Form.LIST: _list,
    Form.JSON: _json,
}

"""What the rules make of an author's remarks on an earlier draft. Described in docs/offline.md."""

import re
from dataclasses import dataclass

from curation.base.text.language import is_negated, terms

_SENTENCE = re.compile(r"[^.!?;\n。！？；]+")
_LINES = re.compile(
    r"(?<![\d.])(\d{1,2})\s*(?:lines?|checks?|criteria|checkpoints?|points)\b|(\d{1,2})\s*[条項项行]",
    re.IGNORECASE,
)
# Words about the draft itself say nothing about what it should hold.
_ABOUT_DRAFTS = terms(
    "line lines check checks checkpoint criteria criterion draft drafts rubric mention mentions "
    "include includes write writes add adds drop drops remove removes leave focus cover covers "
    "nothing more less fewer points point next please want wants skip omit 草稿 起草 检查 评分 "
    "要点 增加 删除 去掉 包括 加入 关注 重点 更多 减少"
)
_DROPS = re.compile(
    r"\b(?:nothing|drop|remove|omit|skip|leave out|less|fewer)\b|删除|去掉|省略|减少", re.IGNORECASE
)
HALF = 0.5


@dataclass(frozen=True)
class Wishes:
    """What remarks ask for.

    Attributes:
        most: the number of lines at most; None where they name none.
        wanted: content terms to be favoured.
        unwanted: content terms of each sentence that says what to leave out.
    """

    most: int | None
    wanted: frozenset[str]
    unwanted: tuple[frozenset[str], ...]

    def refuses(self, words: frozenset[str]) -> bool:
        """Whether a statement holds at least half of the terms of something unwanted."""
        return any(len(words & out) >= HALF * len(out) for out in self.unwanted)

    def favour(self, words: frozenset[str]) -> float:
        """0 to 1: the share of a statement's terms that the remarks name."""
        return len(words & self.wanted) / len(words) if words else 0.0


def read(remarks: str) -> Wishes:
    """The wishes of a few sentences; a sentence that denies or drops says what to leave out."""
    numbers = [int(a or b) for a, b in _LINES.findall(remarks)]
    wanted: set[str] = set()
    unwanted = []
    for sentence in _SENTENCE.findall(_LINES.sub(" ", remarks)):
        words = terms(sentence) - _ABOUT_DRAFTS
        if not words:
            continue
        if is_negated(sentence) or _DROPS.search(sentence):
            unwanted.append(words)
        else:
            wanted |= words
    most = next((number for number in numbers if 1 <= number <= 40), None)
    return Wishes(most, frozenset(wanted), tuple(unwanted))

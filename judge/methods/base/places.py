"""Where the entries of a list stand in a response, and which items of the list no entry is. Pure.

The list is the run of numbered lines, bullets or rows of a table that holds the most entries; else,
all lines under a last heading "Results", which candidates are asked for.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.methods.base.framing import plain

_MARK = re.compile(
    r"(?P<indent>[ \t]*+)(?:[>*_#]{1,4}(?=[\d(]))?"
    r"(?:(?P<number>[(（]?\d{1,4}[.)、．）])|(?P<bullet>[-*•+·–])[ \t]|(?P<row>\|))"
)
_RULE = re.compile(r"[\s|:+-]+")  # below the head of a table
_INNER_MARK = re.compile(r"\S\s+[(（]?\d{1,3}[.)、]\s")
_RESULTS = frozenset({"results", "result", "结果", "最终结果"})
_FREE = "\0"


class ElsewhereError(Exception):
    """The reply names an entry that the response does not hold; the message is the entry."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line or a row: where it begins in the text that is searched, and of which run it is."""

    start: int
    run: int  # 0 for none
    words: str


class Places:
    """Where entries stand in a response.

    Attributes:
        unplaced: entries that stand nowhere as a whole, or only as a part of another one.
        left_out: the items of the list that no entry is, each as its line says it.
    """

    def __init__(self, response: str, entries: Sequence[str]) -> None:
        lines = list(_lines(response))
        self._lines, text = lines, "\n".join(line.words for line in lines)
        self._at: dict[str, list[int]] = {}
        # The longest first, and its places are taken: "Acme" is not found within "Acme Corp".
        for entry in sorted({_wanted(entry) for entry in entries}, key=len, reverse=True):
            pattern = _whole(entry)
            self._at[entry] = [found.start() for found in pattern.finditer(text)]
            text = pattern.sub(lambda found: _FREE * len(found.group()), text)
        self.unplaced = [entry for entry in entries if not self._at[_wanted(entry)]]
        self._run = self._main_run()
        taken = {self._line(at) for places in self._at.values() for at in places}
        self.left_out = [
            line.words
            for number, line in enumerate(lines)
            if self._run and line.run == self._run and number not in taken
        ]

    def place(self, entry: str) -> int:
        """Return where an entry stands: in the list, else for the first time."""
        places = self._at[_wanted(entry)]
        listed = (at for at in places if self._lines[self._line(at)].run == self._run)
        return next(listed, places[0])

    def _main_run(self) -> int:
        """Return the run with the most entries, the last of several; 0 for none."""
        counts: dict[int, int] = {}
        for places in self._at.values():
            for run in {self._lines[self._line(at)].run for at in places} - {0}:
                counts[run] = counts.get(run, 0) + 1
        return max(counts, key=lambda run: (counts[run], run), default=0)

    def _line(self, at: int) -> int:
        return bisect_right(self._lines, at, key=lambda line: line.start) - 1


def is_several(entry: str) -> bool:
    """Return whether an entry has the mark of a second item in it: "Acme 2. Beta"."""
    return bool(_INNER_MARK.search(plain(entry)))


def _wanted(entry: str) -> str:
    return plain(entry).strip(" .…")


def _whole(entry: str) -> re.Pattern[str]:
    """Return the pattern of an entry that is no part of a longer word; CJK has no such edges."""
    if not any(map(str.isalnum, entry)):
        return re.compile(r"(?!)")
    begin = r"(?<![^\W_])" if _has_edge(entry[0]) else ""
    end = r"(?![^\W_])" if _has_edge(entry[-1]) else ""
    return re.compile(begin + re.escape(entry) + end)


def _has_edge(sign: str) -> bool:
    return sign.isalnum() and not "\u2e80" <= sign <= "\uffff"


def _lines(response: str) -> Iterator[_Line]:
    """Yield the lines that say something, without their marks; cells are kept apart."""
    rows = response.splitlines()
    runs = _runs(rows)
    start = 0
    for row, run in zip(rows, runs, strict=True):
        mark = _MARK.match(row)
        body = row[mark.end() :] if mark else row
        words = " ; ".join(filter(None, map(plain, body.split("|"))))
        if any(map(str.isalnum, words)):
            yield _Line(start, run, words)
            start += len(words) + 1


def _runs(rows: Sequence[str]) -> list[int]:
    """Return the run of each line, 0 for none.

    Marked lines of one kind and depth are a run until a heading, or marks of another kind at that
    depth or a lesser one. Text in between ends a run of bullets and rows, not one of numbers.
    """
    found = [0] * len(rows)
    open_: dict[int, tuple[str, int]] = {}  # depth -> kind and run
    count = 0
    results = max((n for n, row in enumerate(rows) if _heading(row) in _RESULTS), default=None)
    for n, row in enumerate(rows):
        if not row.strip():
            continue
        mark = _MARK.match(row)
        if mark is None:
            deep = len(row) - len(row.lstrip())
            if row.lstrip().startswith("#") or n == results:
                open_.clear()
            open_ = {d: one for d, one in open_.items() if one[0] == "number" or d < deep}
            continue
        if mark["row"] and _RULE.fullmatch(row):
            if n and found[n - 1]:
                found[n - 1] = 0  # the head of the table
            continue
        depth, kind = len(mark["indent"].expandtabs(4)), str(mark.lastgroup)
        open_ = {d: one for d, one in open_.items() if d <= depth}
        if open_.get(depth, ("", 0))[0] != kind:
            count += 1
            open_[depth] = (kind, count)
        found[n] = open_[depth][1]
    if results is not None and not any(found[results:]):
        count += 1
        for n in range(results + 1, len(rows)):
            found[n] = count
    return found


def _heading(row: str) -> str:
    return plain(row).strip(" :：.")

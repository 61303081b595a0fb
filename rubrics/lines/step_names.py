"""Names of recorded steps with the number of their line, for undo."""

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from rubrics.versions.diff import CONTENT
from rubrics.versions.models import Criterion, LineChange

Kind = LineChange.Kind
OF_ONE_LINE = {
    Kind.ADDED: _("new line %(n)s"),
    Kind.REMOVED: _("removal of line %(n)s"),
    Kind.MOVED: _("move of line %(n)s"),
    Kind.SPLIT: _("split of line %(n)s"),
    Kind.MERGED: _("merge into line %(n)s"),
    Kind.BROUGHT_BACK: _("return of line %(n)s"),
    Kind.PASSAGE: _("passage of line %(n)s"),
    Kind.SUGGESTED: _("suggestion for line %(n)s"),
}
OF_ONE_FIELD = {
    "text": _("wording of line %(n)s"),
    "importance": _("importance of line %(n)s"),
    "weight": _("weight of line %(n)s"),
    "dimension": _("dimension of line %(n)s"),
}
SEVERAL_FIELDS = _("change of line %(n)s")


def step_name(change: LineChange, lines: Iterable[Criterion]) -> str:
    """Return a step's name with the current number of its line: "weight of line 3"."""
    words = OF_ONE_LINE.get(Kind(change.kind)) or _of_an_edit(change)
    number = _number(change, lines)
    several = len(change.keys) > 1 and change.kind not in (Kind.SPLIT, Kind.MERGED)
    if words is None or number is None or several:
        return change.description
    return str(words) % {"n": number}


def _of_an_edit(change: LineChange) -> object | None:
    if change.kind != Kind.EDITED or len(change.before) != 1 or len(change.after) != 1:
        return None
    before, after = change.before[0], change.after[0]
    changed = [name for name in CONTENT if before[name] != after[name]]
    return OF_ONE_FIELD[changed[0]] if len(changed) == 1 else SEVERAL_FIELDS


def _number(change: LineChange, lines: Iterable[Criterion]) -> int | None:
    """Return the line's number, from 1; the former one if the line was removed."""
    keys = [line.key for line in lines]
    key = change.key or next(iter(change.keys), "")
    if key in keys:
        return keys.index(key) + 1
    indexes = [kept.get("place") for kept in (*change.before, *change.after)]
    return next((index + 1 for index in indexes if index is not None), None)

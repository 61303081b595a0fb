"""What a step was, in a few words that name its line: for undoing it, and for having undone it."""

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


def named(change: LineChange, lines: Iterable[Criterion]) -> str:
    """A step and its line, by its number among the lines as they are now: "weight of line 3"."""
    words = OF_ONE_LINE.get(Kind(change.kind)) or _of_an_edit(change)
    number = _number(change, lines)
    several = len(change.keys) > 1 and change.kind not in (Kind.SPLIT, Kind.MERGED)
    if words is None or number is None or several:
        return change.said
    return str(words) % {"n": number}


def _of_an_edit(change: LineChange) -> object | None:
    if change.kind != Kind.EDITED or len(change.before) != 1 or len(change.after) != 1:
        return None
    before, after = change.before[0], change.after[0]
    changed = [name for name in CONTENT if before[name] != after[name]]
    return OF_ONE_FIELD[changed[0]] if len(changed) == 1 else SEVERAL_FIELDS


def _number(change: LineChange, lines: Iterable[Criterion]) -> int | None:
    """Where the line stands; where it stood, if it is gone."""
    keys = [line.key for line in lines]
    key = change.key or next(iter(change.keys), "")
    if key in keys:
        return keys.index(key) + 1
    places = [kept.get("place") for kept in (*change.before, *change.after)]
    return next((place + 1 for place in places if place is not None), None)

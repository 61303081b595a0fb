"""The clock people see. Times are kept in UTC; a page tells them by the clock of its reader.

The browser names its zone in a cookie (`theme.js`). Without one, or with a name nobody knows, the
clock is UTC. The record, files and what the worker sends stay in UTC.
"""

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext, ngettext, ngettext_lazy

COOKIE = "zone"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+\-/]{0,62}")


def named(name: str) -> ZoneInfo | None:
    """The zone of this name ("Asia/Shanghai"), or nothing where there is none."""
    if not _NAME.fullmatch(name):
        return None
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # unknown, a folder, or a machine without the table
        return None


def local(value: datetime | date) -> datetime | date:
    """A moment by the reader's clock; a plain date stays what it is."""
    if isinstance(value, datetime) and timezone.is_aware(value):
        return timezone.localtime(value)
    return value


def of(value: datetime) -> str:
    """How far the reader's clock is from UTC at that moment: "UTC+8", "UTC−3:30", "UTC"."""
    away = timezone.localtime(value).utcoffset() or timedelta()
    if not away:
        return "UTC"
    hours, minutes = divmod(abs(round(away.total_seconds() / 60)), 60)
    rest = f":{minutes:02}" if minutes else ""
    return f"UTC{'+' if away > timedelta() else '−'}{hours}{rest}"  # noqa: RUF001 - a minus sign


def clock(value: datetime) -> str:
    """A time of day by the reader's clock that says which clock: "17:20 UTC+8"."""
    return f"{timezone.localtime(value):%H:%M} {of(value)}"


def day(value: datetime | date, *, with_clock: bool = False, with_zone: bool = False) -> str:
    """A date as weekday, day and month, with the year if it is not this one: "Mon 23 Nov"."""
    here = local(value)
    this_year = here.year == timezone.localdate().year
    if (get_language() or "").startswith("zh"):
        text = date_format(here, "n 月 j 日" if this_year else "Y 年 n 月 j 日")
        text += " " + "周" + "一二三四五六日"[here.weekday()]
    else:
        text = date_format(here, "D j M" if this_year else "D j M Y")
    if with_clock and isinstance(here, datetime):
        text += f" {clock(here) if with_zone else here.strftime('%H:%M')}"
    return text


def saved_at(value: datetime | None) -> str:
    """The words of the last save: its time of day, and its date if that is not today."""
    if value is None:
        return ""
    here = timezone.localtime(value)
    time = f"{here:%H:%M:%S}"
    if here.date() == timezone.localdate():
        return gettext("Saved %(time)s") % {"time": time}
    return gettext("Saved %(day)s, %(time)s") % {"day": day(value), "time": time}


def in_days(value: datetime | date | None) -> str:
    """The distance of a date from today in words: "today", "in 3 days", "2 days ago"."""
    if value is None:
        return ""
    here = local(value)
    days = ((here.date() if isinstance(here, datetime) else here) - timezone.localdate()).days
    if days == 0:
        return gettext("today")
    if days > 0:
        return ngettext("in %(days)d day", "in %(days)d days", days) % {"days": days}
    return ngettext("%(days)d day ago", "%(days)d days ago", -days) % {"days": -days}


def duration(seconds: float | None) -> str:
    """A duration in words, in its largest sensible unit; ``seconds`` is in seconds."""
    if seconds is None:
        return "–"
    for size, words in (
        (86400, ngettext_lazy("%(n)d day", "%(n)d days", "n")),
        (3600, ngettext_lazy("%(n)d hour", "%(n)d hours", "n")),
        (60, ngettext_lazy("%(n)d minute", "%(n)d minutes", "n")),
    ):
        if seconds >= size * 1.5 or (seconds >= size and size > 3600):
            return str(words % {"n": round(seconds / size)})
    number = round(seconds)
    return ngettext("%(n)d second", "%(n)d seconds", number) % {"n": number}

"""Dates and times as pages show them, in the reader's time zone.

The browser names its zone in a cookie (`theme.js`); without one, or with an unknown name, it is
UTC. The database, files and e-mails use UTC.
"""

import re
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext, ngettext, ngettext_lazy

COOKIE = "zone"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+\-/]{0,62}")


def zone_named(name: str) -> ZoneInfo | None:
    """Return the time zone of this name ("Asia/Shanghai"); None if there is none."""
    if not _NAME.fullmatch(name):
        return None
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # unknown, a folder, or no tz database
        return None


def local(value: datetime | date) -> datetime | date:
    """Convert a moment to the reader's time zone; a plain date stays unchanged."""
    if isinstance(value, datetime) and timezone.is_aware(value):
        return timezone.localtime(value)
    return value


def utc_offset(value: datetime) -> str:
    """Return the reader's offset from UTC at that moment: "UTC+8", "UTC−3:30", "UTC"."""
    away = timezone.localtime(value).utcoffset() or timedelta()
    if not away:
        return "UTC"
    hours, minutes = divmod(abs(round(away.total_seconds() / 60)), 60)
    rest = f":{minutes:02}" if minutes else ""
    return f"UTC{'+' if away > timedelta() else '−'}{hours}{rest}"  # noqa: RUF001 - a minus sign


def clock(value: datetime) -> str:
    """Return the reader's time of day with its offset: "17:20 UTC+8"."""
    return f"{timezone.localtime(value):%H:%M} {utc_offset(value)}"


def day(value: datetime | date, *, with_clock: bool = False, with_zone: bool = False) -> str:
    """Return weekday, day and month, and the year if it is not this one: "Mon 23 Nov"."""
    here = local(value)
    whole = here.date() if isinstance(here, datetime) else here
    text = _day(whole, get_language() or "", with_year=whole.year != timezone.localdate().year)
    if with_clock and isinstance(here, datetime):
        text += f" {clock(here) if with_zone else here.strftime('%H:%M')}"
    return text


@lru_cache(maxsize=1024)  # a list has up to two hundred dates, most of them of a few days
def _day(value: date, language: str, *, with_year: bool) -> str:
    """Return a date in words of the language, which is the active one."""
    if language.startswith("zh"):
        text = date_format(value, "Y 年 n 月 j 日" if with_year else "n 月 j 日")
        return f"{text} 周{'一二三四五六日'[value.weekday()]}"
    return date_format(value, "D j M Y" if with_year else "D j M")


def saved_at(value: datetime | None) -> str:
    """Return when a text was saved: the time, with the day if it is not today; "" for None."""
    if value is None:
        return ""
    here = timezone.localtime(value)
    time = f"{here:%H:%M:%S}"
    if here.date() == timezone.localdate():
        return gettext("Saved %(time)s") % {"time": time}
    return gettext("Saved %(day)s, %(time)s") % {"day": day(value), "time": time}


def in_days(value: datetime | date | None) -> str:
    """Return the distance from today in words: "today", "in 3 days", "2 days ago"; "" for None."""
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
    """Return a duration in its largest sensible unit, in words; None as a dash."""
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

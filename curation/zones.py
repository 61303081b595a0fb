"""The clock people see. Times are kept in UTC; a page tells them by the clock of its reader.

The browser names its zone in a cookie (`theme.js`). Without one, or with a name nobody knows, the
clock is UTC. The record, files and what the worker sends stay in UTC.
"""

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

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

"""All settings by group, and all their changes in one list."""

from collections.abc import Sequence
from heapq import nlargest
from typing import Any

from curation.staff.programme_settings.declared import GROUPS, Setting, SettingChanged, sources

MOST_CHANGES = 200


def by_group() -> list[tuple[str, Any, Sequence[Setting]]]:
    """Return (key, title, settings) of each group."""
    return [
        (
            key,
            title,
            [row for source in sources() if source.group == key for row in source.settings()],
        )
        for key, title in GROUPS.items()
    ]


def changes(group: str = "") -> list[SettingChanged]:
    """Return the latest changes of all settings, or of a group, newest first."""
    rows = (
        row
        for source in sources()
        if not group or source.group == group
        for row in source.changes()
    )
    return nlargest(MOST_CHANGES, rows, key=lambda row: row.at)

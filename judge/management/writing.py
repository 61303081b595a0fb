"""Write a file of lines completely or not at all."""

import os
from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _


def check_new(path: Path) -> None:
    """Refuse a path that exists, or whose folder is missing. Raises CommandError."""
    if path.exists():
        raise CommandError(
            _("%(name)s exists. Choose another name; nothing was written.") % {"name": path.name}
        )
    if not path.parent.is_dir():
        raise CommandError(
            _("There is no folder %(folder)s. Nothing was written.") % {"folder": path.parent}
        )


def write_lines(path: Path, lines: Iterable[bytes]) -> int:
    """Write a new file and return the number of lines; a reader never sees part of it.

    Raises CommandError if it cannot be written.
    """
    check_new(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    count = 0
    try:
        with part.open("wb") as file:
            for line in lines:
                file.write(line)
                count += 1
        part.rename(path)
    except OSError as error:
        raise CommandError(
            _("%(name)s cannot be written: %(why)s.") % {"name": path.name, "why": error.strerror}
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return count

#!/usr/bin/env python
"""Django's command-line entry point."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from config.commands import run
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "config":
            raise
        sys.exit(
            f"{missing.name} is not installed for this Python. Run `make setup` once, then "
            "`.venv/bin/python manage.py …`."
        )
    run(sys.argv)


if __name__ == "__main__":
    main()

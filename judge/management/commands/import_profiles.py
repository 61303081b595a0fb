"""Import profiles into a pool from CSV, Excel or JSON lines."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from curation.base.records.command import RULES, ImportCommand
from judge.methods.profiles.import_profiles import Profiles
from judge.methods.profiles.models import ProfilePool


class Command(ImportCommand):
    help = (
        "Profiles as a table with the columns key, name, link and text (others are facts), or as "
        f"JSON lines. {RULES}"
    )

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--pool", metavar="KEY", required=True)
        parser.add_argument(
            "--name", metavar="NAME", help="of a new pool; needed where there is no pool KEY yet"
        )

    def kind(self, options: dict[str, Any]) -> Profiles:
        key, name = options["pool"], options["name"]
        pool = ProfilePool.objects.filter(key=key).first()
        if pool is None and not name:
            raise CommandError(f"There is no pool “{key}”. Give --name to make it.")
        return Profiles(pool or ProfilePool(key=key, name=name))

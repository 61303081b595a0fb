"""Import profiles into a pool from CSV, Excel or JSON lines."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from curation.base.web.refusals import WorkbenchError
from judge.gold.transfer.reply import dry_run_text, refusal_text
from judge.methods.profiles.actions import add_pool
from judge.methods.profiles.import_profiles import import_profiles
from judge.methods.profiles.models import ProfilePool


class Command(BaseCommand):
    help = (
        "Profiles as a table with the columns key, name, link and text (others are facts), or as "
        "JSON lines. All of them or none: every fault is named as FILE:LINE: field: sentence. The "
        "same file again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--pool", metavar="KEY", required=True)
        parser.add_argument(
            "--name", metavar="NAME", help="of a new pool; needed where there is no pool KEY yet"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="check and count everything, store nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path, key = Path(options["file"]), options["pool"]
        try:
            data = path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path}: the file cannot be read: {error.strerror}.") from None
        try:
            with transaction.atomic():
                done = import_profiles(
                    actor=None,
                    pool=self._pool(key, options["name"]),
                    data=data,
                    file=str(path),
                    dry_run=options["dry_run"],
                )
                if options["dry_run"]:
                    transaction.set_rollback(True)
        except WorkbenchError as refusal:
            raise CommandError(refusal_text(refusal)) from None
        self.stdout.write(
            f"profiles: {len(done.added)} added, {len(done.changed)} changed, "
            f"{done.unchanged} unchanged"
        )
        if options["dry_run"]:
            self.stdout.write(dry_run_text())

    def _pool(self, key: str, name: str | None) -> ProfilePool:
        """Return the pool with this key, made where a name is given."""
        pool = ProfilePool.objects.filter(key=key).first()
        if pool is not None:
            return pool
        if not name:
            raise CommandError(f"There is no pool “{key}”. Give --name to make it.")
        return add_pool(actor=None, key=key, name=name)

"""Import the encrypted CSV of xbench's evaluations."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.base.web.refusals import WorkbenchError
from judge.gold.transfer.reply import refusal_text, summary
from judge.gold.transfer.xbench_tasks import DEFAULT_DOMAIN, import_questions


class Command(BaseCommand):
    """`manage.py import_xbench FILE --key KEY [--domain KEY]`."""

    help = (
        "Questions with an exact answer, as tasks of another benchmark: all of them or none. The "
        "same file again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--key", required=True, help="the key its texts were encrypted with")
        parser.add_argument(
            "--domain",
            default="",
            metavar="KEY",
            help=f"of the tasks; default: what the file says, or “{DEFAULT_DOMAIN}”",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = import_questions(options["file"], options["key"], domain=options["domain"])
        except WorkbenchError as refusal:
            raise CommandError(refusal_text(refusal)) from None
        self.stdout.write(summary("tasks", done.added, done.unchanged, done.revised))

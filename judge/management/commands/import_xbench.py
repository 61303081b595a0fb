"""Import the encrypted CSV of xbench's evaluations."""

from typing import Any

from django.core.management.base import CommandParser

from curation.base.records.command import RULES, ImportCommand
from judge.gold.transfer.tasks import Tasks
from judge.gold.transfer.xbench_tasks import DEFAULT_DOMAIN, xbench


class Command(ImportCommand):
    """`manage.py import_xbench FILE --key KEY [--domain KEY]`."""

    help = f"Questions with an exact answer, as tasks of another benchmark. {RULES}"

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--key", required=True, help="the key its texts were encrypted with")
        parser.add_argument(
            "--domain",
            default="",
            metavar="KEY",
            help=f"of the tasks; default: what the file says, or “{DEFAULT_DOMAIN}”",
        )

    def kind(self, options: dict[str, Any]) -> Tasks:
        return Tasks(external=True, form=xbench(options["key"], domain=options["domain"]))

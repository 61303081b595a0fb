"""Import tasks with their rubrics from JSON lines."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from curation.base.records.command import RULES, ImportCommand
from curation.base.records.json_lines import check_first_line
from curation.base.records.kind import RecordKind
from curation.joining.people import User
from curation.tasks.file_views.read_files import read_files_of
from judge.gold.transfer.task_line import TaskLine
from judge.gold.transfer.tasks import Tasks


class Command(ImportCommand):
    help = f"Tasks with their rubrics, one JSON object a line. {RULES}"

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--external",
            action="store_true",
            help="tasks of another benchmark: any rubric or none, any domain; never in gold",
        )
        parser.add_argument(
            "--collected",
            action="store_true",
            help="tasks from business: drafts without an author, with their owner's permission",
        )
        parser.add_argument(
            "--author",
            metavar="EMAIL",
            help="the expert whose drafts the tasks become; needed without --external and "
            "--collected. With --collected: the member of staff who enters them",
        )
        parser.add_argument(
            "--new-version",
            action="store_true",
            help="where only the rubric of a task changed, add it as a new version",
        )
        parser.add_argument(
            "--files",
            metavar="DIR",
            help="the folder of the files that the tasks name. "
            "Default: beside FILE, FILE without its ending and with “-files”",
        )

    def kind(self, options: dict[str, Any]) -> Tasks:
        external, email = options["external"], options["author"]
        check_first_line(options["file"], TaskLine)
        collected = options["collected"]
        if external and collected:
            raise CommandError("--collected does not go with --external: they are two origins.")
        if external and email:
            raise CommandError("--author does not go with --external: such tasks have no author.")
        author = None
        if not external and (email or not collected):
            if not email:
                raise CommandError(
                    "Say whose drafts the tasks become: --author EMAIL. The tasks of another "
                    "benchmark need --external instead."
                )
            author = User.objects.filter(email__iexact=email, is_active=True).first()
            if author is None:
                raise CommandError(f"Nobody here has the address {email}.")
            if collected and not author.is_staff:
                raise CommandError("With --collected, --author names a member of staff.")
        return Tasks(
            external=external,
            collected=collected,
            author=author,
            new_version=options["new_version"],
            files=options["files"],
        )

    def stored(self, kind: RecordKind) -> None:
        """Read the files of new tasks here: a worker may be missing where commands are used."""
        assert isinstance(kind, Tasks)
        read_files_of(kind.stored.tasks)

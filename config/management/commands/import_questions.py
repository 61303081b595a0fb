"""Adds questions to the exam of a domain from a JSON lines file: all of them or none."""

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.base.web.refusals import BadInput
from curation.qualifying.exams.bank_actions import import_questions
from curation.qualifying.exams.bank_forms import read_lines
from curation.qualifying.exams.bank_models import Exam


class Command(BaseCommand):
    help = "Add the questions of a JSON lines file to the exam of a domain: all of them, or none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("domain", help="key of the domain, such as finance")
        parser.add_argument("file", type=Path, help="one question on each line, in UTF-8")

    def handle(self, *args: Any, **options: Any) -> None:
        exam = Exam.objects.filter(domain__key=options["domain"]).first()
        if exam is None:
            raise CommandError(
                f"There is no exam in the domain {options['domain']!r}. Staff make it on its page."
            )
        try:
            rows = read_lines(options["file"].read_bytes())
            added = import_questions(actor=None, exam=exam, rows=rows)
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from None
        except ValidationError as error:
            raise CommandError(error.messages[0]) from None
        except BadInput as refusal:
            lines = [
                f"  {where}: {' '.join(str(word) for word in words)}" if where else f"  {words[0]}"
                for where, words in refusal.fields.items()
            ]
            raise CommandError("\n".join([str(refusal.detail), *lines])) from None
        self.stdout.write(f"{added} questions were added.")

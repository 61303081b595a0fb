"""Adds questions to the exam of a domain from a JSON lines file: all of them or none."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from curation.base.records.command import ImportCommand
from curation.qualifying.exams.bank_actions import Questions
from curation.qualifying.exams.bank_models import Exam


class Command(ImportCommand):
    help = "Add the questions of a JSON lines file to the exam of a domain: all of them, or none."

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("domain", help="key of the domain, such as finance")

    def kind(self, options: dict[str, Any]) -> Questions:
        exam = Exam.objects.filter(domain__key=options["domain"]).first()
        if exam is None:
            raise CommandError(
                f"There is no exam in the domain {options['domain']!r}. Staff make it on its page."
            )
        return Questions(exam)

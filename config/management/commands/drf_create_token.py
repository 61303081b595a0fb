"""Makes an API token for a person and prints its key once."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from curation.base.web.refusals import WorkbenchError
from curation.joining.accounts.api_tokens import DEFAULT_DAYS, MOST_DAYS, make_token
from curation.joining.people import User


class Command(BaseCommand):
    help = "Make a token for the API in somebody's name. Its key is printed once and not stored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="e-mail address of the person")
        parser.add_argument("--name", default="command line", help="what its person knows it by")
        parser.add_argument(
            "--days",
            type=int,
            default=DEFAULT_DAYS,
            help=f"how long it works, 1 to {MOST_DAYS} ({DEFAULT_DAYS})",
        )

    def handle(self, *args: Any, address: str, name: str, days: int, **options: Any) -> None:
        person = User.objects.filter(email__iexact=address).first()
        if person is None:
            raise CommandError(f"Nobody has the address {address}.")
        if not person.is_active:
            raise CommandError(f"The account {address} is closed, so a token would open nothing.")
        if not 1 <= days <= MOST_DAYS:
            raise CommandError(f"--days is a number from 1 to {MOST_DAYS}.")
        until = timezone.localdate() + timedelta(days=days)
        try:
            token, key = make_token(actor=person, name=name, until=until)
        except WorkbenchError as refused:
            raise CommandError(refused.text) from None
        self.stdout.write(f"Generated token {key} for user {person.email}")

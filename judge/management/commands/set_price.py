"""Enter the price of a model, so that runs can be priced and limited by a budget."""

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from judge.asking.calls.cost import start_of_day
from judge.asking.calls.price_actions import set_price
from judge.management.arguments import dollars


class Command(BaseCommand):
    """`manage.py set_price PROVIDER MODEL --input 2.50 --output 10 [--since 2027-01-01]`."""

    help = "Enters the price of a model, in dollars per million tokens."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("provider")
        parser.add_argument("model")
        parser.add_argument("--input", type=dollars, required=True)
        parser.add_argument("--output", type=dollars, required=True)
        parser.add_argument("--cached", type=dollars, help="of cached input; default as --input")
        parser.add_argument(
            "--since",
            type=date.fromisoformat,
            metavar="YYYY-MM-DD",
            help="the first day; default: now, and for the first price of a model, always",
        )
        parser.add_argument(
            "--correct", action="store_true", help="replace the price in force, from its start"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["since"] and options["correct"]:
            raise CommandError(_("Give --since or --correct, not both."))
        try:
            price = set_price(
                actor=None,
                provider=options["provider"],
                model=options["model"],
                input_micro=options["input"],
                cached_micro=options["cached"],
                output_micro=options["output"],
                since=start_of_day(options["since"]) if options["since"] else None,
                correct=options["correct"],
            )
        except BadInput as refused:
            raise CommandError(refused.text) from refused
        self.stdout.write(
            _("The price of %(provider)s %(model)s is stored.")
            % {"provider": price.provider, "model": price.model}
        )

"""Enter the price of a model, so that runs can be priced and limited by a budget."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from curation.web.refusals import BadInput
from judge import providers
from judge.management.arguments import dollars
from judge.prices.actions import set_price


class Command(BaseCommand):
    """`manage.py set_price PROVIDER MODEL --input 2.50 --output 10 [--cached 0.25]`."""

    help = "Enters the price of a model, in dollars per million tokens."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("provider", choices=providers.names())
        parser.add_argument("model")
        parser.add_argument("--input", type=dollars, required=True)
        parser.add_argument("--output", type=dollars, required=True)
        parser.add_argument("--cached", type=dollars, help="of cached input; default as --input")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            price = set_price(
                actor=None,
                provider=options["provider"],
                model=options["model"],
                input_micro=options["input"],
                cached_micro=options["cached"],
                output_micro=options["output"],
            )
        except BadInput as refused:
            problems = [str(problem) for found in refused.fields.values() for problem in found]
            raise CommandError(" ".join(dict.fromkeys(problems))) from refused
        self.stdout.write(
            _("The price of %(provider)s %(model)s is stored.")
            % {"provider": price.provider, "model": price.model}
        )

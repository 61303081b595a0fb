"""Enter what a model costs, so that runs can be priced and kept within a budget."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _

from curation import text
from judge import providers
from judge.management.arguments import dollars
from judge.models import Price
from judge.pricing import MILLION

# Dollars per million tokens, in millionths: a slip of the pen above it would make the cost of a
# long run larger than a database's whole numbers.
DEAREST = 100_000 * MILLION


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
        model = options["model"].strip()
        if not model or len(model) > 120:
            raise CommandError(_("Name the model, in at most 120 characters."))
        problem = text.problem_with(model)
        if problem:
            raise CommandError(problem)
        cached = options["cached"]
        if max(options["input"], options["output"], cached or 0) > DEAREST:
            raise CommandError(
                _("A million tokens cost at most $%(most)s.") % {"most": f"{DEAREST // MILLION:,}"}
            )
        Price.objects.update_or_create(
            provider=options["provider"],
            model=model,
            defaults={
                "input_micro": options["input"],
                "cached_micro": options["input"] if cached is None else cached,
                "output_micro": options["output"],
                "since": timezone.now(),
            },
        )
        self.stdout.write(
            _("The price of %(provider)s %(model)s is stored.")
            % {"provider": options["provider"], "model": model}
        )

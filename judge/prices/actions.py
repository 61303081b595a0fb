"""The action by which staff enter the price of a model."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.text import storable
from curation.web.refusals import BadInput
from judge import providers
from judge.prices.cost import MILLION
from judge.prices.models import Price, PriceEvent

# Millionths of a dollar per million tokens. A mistyped price above it could make the cost of a long
# run overflow the integer column.
MAX_PRICE = 100_000 * MILLION


def paid_providers() -> list[str]:
    """Return the names of the providers whose calls cost something."""
    return [name for name in sorted(providers.names()) if not providers.get(name).offline]


@action("staff")
@transaction.atomic
def set_price(
    *,
    actor: Any,
    provider: str,
    model: str,
    input_micro: int,
    output_micro: int,
    cached_micro: int | None = None,
) -> Price:
    """Enter or change the price of a model; the cost of runs is computed by it from now on.

    Args:
        actor: the member of staff; None on the command line.
        input_micro: millionths of a dollar per million input tokens.
        output_micro: the same per million output tokens.
        cached_micro: the same per million cached input tokens; None for the price of input.

    Raises:
        BadInput: `fields` says what is wrong.
    """
    model = model.strip()
    cached_micro = input_micro if cached_micro is None else cached_micro
    rates = {
        "input_micro": input_micro, "cached_micro": cached_micro, "output_micro": output_micro
    }  # fmt: skip
    fields: dict[str, list[str]] = {}
    if provider not in paid_providers():
        fields["provider"] = [_("Available: %(known)s.") % {"known": ", ".join(paid_providers())}]
    problem = storable.problem_with(model)
    if not model or len(model) > 120:
        fields["model"] = [_("Name the model, in at most 120 characters.")]
    elif problem := problem or storable.problem_with_name(model, limit=120):
        fields["model"] = [problem]
    for name, micro in rates.items():
        if micro > MAX_PRICE:
            fields[name.removesuffix("_micro")] = [
                _("A million tokens cost at most $%(most)s.")
                % {"most": f"{MAX_PRICE // MILLION:,}"}
            ]
    if fields:
        raise BadInput(fields=fields)
    price, new = Price.objects.select_for_update().get_or_create(
        provider=provider, model=model, defaults=rates
    )
    if not new:
        if all(getattr(price, name) == micro for name, micro in rates.items()):
            return price
        Price.objects.filter(pk=price.pk).update(**rates, since=timezone.now())
        price.refresh_from_db()
    PriceEvent.objects.create(provider=provider, model=model, actor=actor, **rates)
    return price

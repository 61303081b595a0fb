"""The action by which staff enter the price of a model."""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict
from judge.asking import providers
from judge.asking.calls.cost import MILLION
from judge.asking.calls.price_models import Price, PriceEvent, start_of

# Millionths of a dollar per million tokens. A mistyped price above it could make the cost of a long
# run overflow the integer column.
MAX_PRICE = 100_000 * MILLION


def paid_providers() -> list[str]:
    """Return the names of the providers whose calls cost or have cost something. One query."""
    return [name for name in sorted(providers.labels()) if not providers.is_offline(name)]


@action("staff.scoring")
@transaction.atomic
def set_price(
    *,
    actor: Any,
    provider: str,
    model: str,
    input_micro: int,
    output_micro: int,
    cached_micro: int | None = None,
    since: datetime | None = None,
    correct: bool = False,
) -> Price:
    """Enter the price of a model from a moment on, or correct the one in force.

    Without `since`, the first price of a model counts for all its calls, and a later one from now
    on. A moment at which a price begins already corrects that price.

    Args:
        actor: the member of staff; None on the command line.
        input_micro: millionths of a dollar per million input tokens.
        output_micro: the same per million output tokens.
        cached_micro: the same per million cached input tokens; None for the price of input.
        since: when it begins, in the past or in the future.
        correct: replace the rates of the price in force; its calls are counted again.

    Raises:
        BadInput: `fields` says what is wrong.
        Conflict: `changed_meanwhile`, somebody entered one at the same moment.
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
    prices = Price.objects.select_for_update().filter(provider=provider, model=model)
    rows = sorted(prices, key=start_of)
    now = timezone.now()
    in_force = next((row for row in reversed(rows) if row.since is None or row.since <= now), None)
    if correct and in_force is None:
        raise BadInput(fields={"counts": [_("No price is in force yet. Enter one.")]})
    if in_force is not None and since is None and _same(in_force, rates):
        return in_force
    start = since
    if correct and in_force is not None:
        start = in_force.since
    elif since is None and rows:
        start = now
    row = next((row for row in rows if row.since == start), None)
    if row is not None and _same(row, rates):
        return row
    if row is None:
        try:
            with transaction.atomic():
                row = Price.objects.create(provider=provider, model=model, since=start, **rates)
        except IntegrityError:
            raise Conflict(
                _("Somebody entered a price of this model at the same moment. Look at it first."),
                code="changed_meanwhile",
            ) from None
    else:
        Price.objects.filter(pk=row.pk).update(**rates, entered_at=now)
        row.refresh_from_db()
    PriceEvent.objects.create(provider=provider, model=model, since=start, actor=actor, **rates)
    return row


def _same(price: Price, rates: dict[str, int]) -> bool:
    return all(getattr(price, name) == micro for name, micro in rates.items())

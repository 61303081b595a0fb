"""What calls, their prices and budgets give to the nouns below."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import CharField, Count, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.joining.domains.policies import LATEST
from curation.staff.programme_settings import declared
from curation.staff.programme_settings.declared import (
    Setting,
    SettingChanged,
    SettingSource,
    name_of,
    of_states,
)
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import records
from curation.telling.activity import audit
from curation.telling.activity.audit import AuditSource
from curation.telling.activity.audit_sources import COMMAND_LINE
from judge.asking.calls.budgets import PURPOSES
from judge.asking.calls.cost import MILLION
from judge.asking.calls.models import Call, MonthlyBudget
from judge.asking.calls.money import dollars
from judge.asking.calls.price_models import Price, PriceEvent


def _limit(value: Any) -> Any:
    return _("no limit") if value is None else dollars(value / MILLION)


def _rates(row: Any) -> str:
    rates = [dollars(micro / MILLION) for micro in (row.input_micro, row.output_micro)]
    return _("%(input)s in, %(output)s out, per million tokens") % {
        "input": rates[0],
        "output": rates[1],
    }


def _prices() -> Iterable[Setting]:
    last = PriceEvent.objects.select_related("actor").order_by("-at", "-pk").first()
    many = Price.objects.aggregate(n=Count("model", distinct=True))["n"]
    yield Setting(
        _("Prices of models"),
        _("%(n)s models with a price") % {"n": many},
        name_of(last.actor) if last else "",
        last.at if last else None,
        reverse("staff-prices"),
    )


def _price_changes() -> Iterable[SettingChanged]:
    """Yield the changes of prices, each beside the event of the model before it. One query."""
    rows = list(PriceEvent.objects.select_related("actor").order_by("-at", "-pk")[: LATEST * 2])
    earlier: dict[tuple[str, str], Any] = {}
    found = []
    for row in reversed(rows):
        before = earlier.get((row.provider, row.model))
        earlier[row.provider, row.model] = row
        label = _("Price of %(model)s") % {"model": f"{row.provider}:{row.model}"}
        parts = [(_("Price"), _rates(before) if before else "–", _rates(row))]
        found.append(
            SettingChanged(row.at, name_of(row.actor), label, parts, url=reverse("staff-prices"))
        )
    return reversed(found[-LATEST:])


def _price_names(keys: Collection[int]) -> Mapping[int, str]:
    return {row.pk: str(row) for row in PriceEvent.objects.filter(pk__in=keys)}


def _price_says(event: str) -> str:
    asked, _slash, answered = (part or "0" for part in event.partition("/"))
    return _("%(input)s in, %(output)s out for a million tokens") % {
        "input": dollars(int(asked) / MILLION),
        "output": dollars(int(answered) / MILLION),
    }


text_basis.register(
    *records(
        text_basis.ASKED_A_MODEL,
        "judge.Call",
    ),
)
declared.register(
    SettingSource("prices", "models", _prices, _price_changes, place=8),
    of_states(
        "budgets",
        "models",
        gettext_lazy("Monthly budgets"),
        MonthlyBudget,
        "staff-budgets",
        {purpose.value: Call.Purpose(purpose).label for purpose in PURPOSES},
        _limit,
        place=9,
    ),
)
audit.register(
    AuditSource(
        "price",
        gettext_lazy("Prices"),
        PriceEvent.objects.all,
        "pk",
        _price_says,
        reason="",
        event=Concat(
            Cast("input_micro", CharField()),
            Value("/"),
            Cast("output_micro", CharField()),
            output_field=CharField(),
        ),
        of_tasks=False,
        names=_price_names,
        url=lambda pk: reverse("staff-prices"),
        always=True,
        nobody=COMMAND_LINE,
        place=21,
    )
)

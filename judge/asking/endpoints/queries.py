"""What is known of endpoints and their models."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judge.asking import providers
from judge.asking.calls.cost import dollar_figure, rates_for
from judge.asking.calls.price_models import Price
from judge.asking.endpoints import parameters
from judge.asking.endpoints.history import label_of, worded
from judge.asking.endpoints.models import Endpoint, Parameters, ServedModel, as_configured
from judge.asking.providers import BUILT_IN, Provider, is_offline
from judge.asking.providers.vendor import Vendor

ABILITIES = {
    "pictures": gettext_lazy("pictures"),
    "structured_output": gettext_lazy("JSON by schema"),
    "search": gettext_lazy("web search"),
    "effort": gettext_lazy("effort"),
}


def takes_pictures(provider: str, model: str) -> bool | None:
    """Return whether a model may be sent pictures. One query, none for the offline rules.

    Args:
        provider: the name of an endpoint or of a vendor of the environment.
        model: as the provider calls it.

    Returns:
        None if nobody has entered the model, vendors of the environment included: send it no
        picture, and say that staff can enter it under Models.
    """
    if is_offline(provider):
        return False
    rows = ServedModel.objects.filter(provider=provider, model=model)
    return rows.values_list("pictures", flat=True).first()


def house_of(provider: str, model: str) -> str:
    """Return the house of a model as staff entered it, else as its name tells. Two queries."""
    return house_entered(provider, model) or providers.get(provider).family(model)


def house_entered(provider: str, model: str) -> str:
    """Return the house that staff have entered for a model; "" for none. One query."""
    rows = ServedModel.objects.filter(provider=provider, model=model)
    return rows.values_list("family", flat=True).first() or ""


def parameters_for(provider: str, model: str, purpose: str) -> dict[str, Any]:
    """Return the parameters of a call for a purpose; {} for a model nobody entered. Two queries."""
    served = ServedModel.objects.filter(provider=provider, model=model).first()
    if served is None:
        return {}
    rows = Parameters.objects.filter(served=served, purpose=purpose)
    return parameters.given_to(served, rows.values_list("values", flat=True).first() or {})


def within_abilities(provider: str, model: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as a model that staff have entered can be given them. One query.

    It is asked for no more than it writes, and for JSON in words if it takes no schema.
    """
    served = ServedModel.objects.filter(provider=provider, model=model).first()
    return dict(values) if served is None else parameters.given_to(served, values)


def setup_of(provider: str, model: str) -> dict[str, Any]:
    """Return what a run or an order records of whom it asks, as it is now. Three queries.

    Keys: `endpoint` (label), `protocol`, `host`, `model` with what it can (None if nobody has
    entered it), and `price` in millionths of a dollar per million tokens (None if unknown). {} for
    the offline rules. It holds no key, and of the address only host and port.
    """
    asked = providers.get(provider)
    if not isinstance(asked, Vendor):
        return {}
    served = ServedModel.objects.filter(provider=provider, model=model).first()
    facts = ("label", "family", "pictures", "structured_output", "search", "effort",
             "context_tokens", "most_output_tokens")  # fmt: skip
    return {
        "endpoint": str(asked.label),
        "protocol": asked.protocol,
        "host": host_of(asked.address),
        "model": None if served is None else {name: getattr(served, name) for name in facts},
        "price": None if (rates := rates_for(provider, model)) is None else asdict(rates),
    }


def host_of(address: str) -> str:
    """Return host and port of an address, the part that tells people where a call went."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    return f"{host}:{port}" if port else host


def why_it_cannot_answer(provider: str) -> str:
    """Return why a provider cannot be asked now; "" if it can.

    Raises:
        UnknownProviderError: there is none of this name.
    """
    asked = providers.get(provider)
    if asked.configured():
        return ""
    if isinstance(asked, Vendor) and asked.endpoint is not None and asked.endpoint.retired:
        return _("%(name)s is retired. Choose another endpoint, or take it back under Models.") % {
            "name": asked.label
        }
    return _("No key is set for %(name)s on this server. Set %(variable)s and restart it.") % {
        "name": asked.label,
        "variable": providers.key_variable(provider),
    }


# -- the pages -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EndpointRow:
    """An endpoint or a vendor of the environment, with its models.

    Attributes:
        row: None for a vendor of the environment.
        has_key: whether the variable holds a key, or none is needed.
    """

    name: str
    label: str
    protocol: str
    host: str
    key_variable: str
    has_key: bool
    most_at_once: int | None
    retired: bool
    row: Endpoint | None
    models: Sequence[ServedModel]


def endpoint_rows() -> list[EndpointRow]:
    """Return all endpoints, those of the environment first, retired ones last. Two queries."""
    models: dict[str, list[ServedModel]] = {}
    for served in ServedModel.objects.order_by("retired", "provider", "model"):
        models.setdefault(served.provider, []).append(served)
    vendors: list[tuple[Provider, Endpoint | None]] = [
        (providers.get(name), None) for name in BUILT_IN if not is_offline(name)
    ]
    for row in Endpoint.objects.order_by("retired", "label", "name"):
        vendors.append((providers.made_of(as_configured(row)), row))
    return [
        _row(asked, row, models.get(asked.name, []))
        for asked, row in vendors
        if isinstance(asked, Vendor)
    ]


def endpoint_row(name: str) -> EndpointRow | None:
    """Return one of `endpoint_rows`; None if there is none of this name. Two queries at most."""
    row = Endpoint.objects.filter(name=name).first() if name not in BUILT_IN else None
    if row is None and (name not in BUILT_IN or is_offline(name)):
        return None
    asked = providers.get(name) if row is None else providers.made_of(as_configured(row))
    assert isinstance(asked, Vendor)
    models = ServedModel.objects.filter(provider=name).order_by("retired", "model")
    return _row(asked, row, list(models))


def _row(asked: Vendor, row: Endpoint | None, models: Sequence[ServedModel]) -> EndpointRow:
    return EndpointRow(
        name=asked.name,
        label=str(asked.label),
        protocol=str(Endpoint.Protocol(asked.protocol).label),
        host=host_of(asked.address),
        key_variable=asked.key_setting,
        has_key=bool(asked.key),
        most_at_once=asked.most_at_once,
        retired=bool(row and row.retired),
        row=row,
        models=models,
    )


def choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the models in use by endpoint, as groups of a select. Two queries.

    A value is "provider:model". Endpoints without a key and retired ones are left out.
    """
    return [
        (
            row.label,
            [(f"{row.name}:{m.model}", str(m)) for m in row.models if not m.retired],
        )
        for row in endpoint_rows()
        if row.has_key and not row.retired and any(not m.retired for m in row.models)
    ]


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model with its price per million tokens; "" where none is in force."""

    served: ServedModel
    input: str
    output: str


def with_prices(
    rows: Sequence[EndpointRow], prices: Mapping[tuple[str, str], Price]
) -> list[tuple[EndpointRow, list[ModelRow]]]:
    """Return each endpoint with its models and their prices in force."""
    found = []
    for row in rows:
        models = []
        for served in row.models:
            price = prices.get((served.provider, served.model))
            models.append(
                ModelRow(
                    served,
                    f"${dollar_figure(price.input_micro)}" if price else "",
                    f"${dollar_figure(price.output_micro)}" if price else "",
                )
            )
        found.append((row, models))
    return found


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """What is set for a purpose, as (name, value) in words; empty where the model decides."""

    purpose: str
    label: str
    values: tuple[tuple[str, str], ...]


def parameter_rows(served: ServedModel) -> list[ParameterRow]:
    """Return every purpose with the parameters that are set for it. One query."""
    held = dict(Parameters.objects.filter(served=served).values_list("purpose", "values"))
    return [
        ParameterRow(
            purpose=purpose.value,
            label=purpose_label(purpose),
            values=tuple(in_words(held.get(purpose.value, {}))),
        )
        for purpose in parameters.PURPOSES
    ]


def purpose_label(purpose: str) -> str:
    """Return a purpose in words."""
    return str(parameters.Purpose(purpose).label)


def in_words(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return parameters as (name, value) in words, in the order of `parameters.NAMES`."""
    return [
        (label_of(name), worded(name, values[name])) for name in parameters.NAMES if name in values
    ]


def abilities(facts: Mapping[str, Any]) -> list[str]:
    """Return what a model can in words, from the facts that `setup_of` recorded; [] for none."""
    found = [str(ABILITIES[name]) for name in ABILITIES if facts.get(name)]
    if facts.get("context_tokens"):
        found.append(_("reads %(n)s tokens") % {"n": f"{facts['context_tokens']:,}"})
    if facts.get("most_output_tokens"):
        found.append(_("writes %(n)s tokens") % {"n": f"{facts['most_output_tokens']:,}"})
    return found


def setup_in_words(setup: Mapping[str, Any], values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what a run or an order recorded of whom it asks, as (what, how) for people.

    Args:
        setup: as `setup_of` returned it; {} for none.
        values: its parameters.
    """
    rows = []
    if setup:
        rows.append((_("Asked at"), f"{setup['endpoint']}, {setup['host']}"))
        rows.append((_("Requests"), str(Endpoint.Protocol(setup["protocol"]).label)))
        if can := abilities(setup.get("model") or {}):
            rows.append((_("What it could"), ", ".join(can)))
        price = setup.get("price")
        rows.append(
            (
                _("Price when planned"),
                _("%(input)s in, %(output)s out for a million tokens")
                % {
                    "input": f"${dollar_figure(price['input'])}",
                    "output": f"${dollar_figure(price['output'])}",
                }
                if price
                else _("not known"),
            )
        )
    rows += [(label[:1].upper() + label[1:], value) for label, value in in_words(values)]
    if values.get("structured_output") is False:
        rows.append((_("JSON"), _("asked for in words: the model takes no schema")))
    return rows

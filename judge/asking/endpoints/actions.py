"""Staff's actions on endpoints, on their models and on the parameters of each purpose."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict
from judge.asking import providers
from judge.asking.endpoints import parameters
from judge.asking.endpoints.models import (
    Endpoint,
    EndpointEvent,
    Parameters,
    ServedModel,
    ServedModelEvent,
)
from judge.asking.providers import addresses
from judge.asking.providers.addresses import AddressError, Problem

ENDPOINT_FIELDS = ("label", "protocol", "address", "key_variable", "calls_at_once")
MODEL_FIELDS = (
    "label", "family", "pictures", "structured_output", "search", "effort", "context_tokens",
    "most_output_tokens",
)  # fmt: skip
MOST_AT_ONCE = 256
MOST_CONTEXT = 100_000_000  # tokens

_NAME = re.compile(r"[a-z][a-z0-9-]{1,19}")
# Only such variables: a page must not be able to send the installation's own secrets away.
_KEY_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY")

Row = TypeVar("Row", bound=models.Model)


# -- endpoints -------------------------------------------------------------------------------------


@action("staff.administration")
def add_endpoint(*, actor: Any, name: str, **values: Any) -> Endpoint:
    """Enter an endpoint; it can be asked at once, in every process. The same again changes nothing.

    Call it outside of any transaction: it looks the host up before it begins its own.

    Args:
        name: 2 to 20 lower-case letters, digits and hyphens; never changes.
        values: the fields in `ENDPOINT_FIELDS`.

    Raises:
        BadInput: `fields` says what is wrong.
    """
    name = name.strip()
    fields: dict[str, list[str]] = {}
    if not _NAME.fullmatch(name):
        fields["name"] = [_("Use 2 to 20 lower-case letters, digits and hyphens, a letter first.")]
    elif name in providers.BUILT_IN:
        fields["name"] = [_taken()]
    values = _checked_endpoint(values, fields)
    changes = {field: [None, values[field]] for field in ENDPOINT_FIELDS if values[field]}
    try:
        with transaction.atomic():
            made = Endpoint.objects.create(name=name, **values)
            EndpointEvent.objects.create(endpoint=made, actor=actor, changes=changes)
    except IntegrityError:
        held = Endpoint.objects.get(name=name)
        if held.retired or any(getattr(held, field) != values[field] for field in ENDPOINT_FIELDS):
            raise BadInput(fields={"name": [_taken()]}) from None
        return held
    return made


def _taken() -> str:
    return _("There is already an endpoint of this name.")


@action("staff.administration")
def change_endpoint(
    *, actor: Any, endpoint: Endpoint, revision: int | None = None, **values: Any
) -> Endpoint:
    """Change an endpoint; the next call of every process follows.

    Call it outside of any transaction: it looks the host up before it begins its own.

    Args:
        revision: the revision that was read; None to overwrite any.

    Raises:
        BadInput: `fields` says what is wrong.
        Conflict: `changed_meanwhile`.
    """
    kept = {name: getattr(endpoint, name) for name in ENDPOINT_FIELDS}
    checked = _checked_endpoint(kept | values, {})
    with transaction.atomic():
        now = _locked(endpoint, revision)
        return _store(now, {name: checked[name] for name in values}, actor)


@action("staff.administration")
@transaction.atomic
def retire_endpoint(*, actor: Any, endpoint: Endpoint, retired: bool = True) -> Endpoint:
    """Ask an endpoint no more, or again; what it answered stays.

    Raises:
        Conflict: `wrong_stage`, it is so already.
    """
    now = _locked(endpoint, None)
    if now.retired == retired:
        raise Conflict(_already(retired), code="wrong_stage")
    return _store(now, {"retired": retired}, actor)


def _already(retired: bool) -> str:
    return _("It is retired already.") if retired else _("It is in use already.")


def _checked_endpoint(values: dict[str, Any], fields: dict[str, list[str]]) -> dict[str, Any]:
    """Return the values as stored. Raises BadInput with these and further problems."""
    label = str(values.get("label") or "").strip()
    if problem := storable.problem_with_name(label, limit=80):
        fields["label"] = [problem if label else _("Give it a name that people recognise.")]
    if values.get("protocol") not in Endpoint.Protocol.values:
        fields["protocol"] = [_("Choose the requests that it takes.")]
    address = str(values.get("address") or "").strip().rstrip("/")
    if problem := problem_with_address(address):
        fields["address"] = [problem]
    variable = str(values.get("key_variable") or "").strip()
    if variable and (not _KEY_VARIABLE.fullmatch(variable) or len(variable) > 80):
        fields["key_variable"] = [
            _("Name an environment variable in capitals that ends in _API_KEY.")
        ]
    elif variable and variable in {providers.key_variable(name) for name in providers.BUILT_IN}:
        fields["key_variable"] = [
            _("That key belongs to a vendor of the environment. Name a variable of its own.")
        ]
    at_once = values.get("calls_at_once")
    if at_once is not None and not 1 <= at_once <= MOST_AT_ONCE:
        fields["calls_at_once"] = [_("Between 1 and %(most)s, or empty.") % {"most": MOST_AT_ONCE}]
    if fields:
        raise BadInput(fields=fields)
    return {
        "label": label,
        "protocol": values["protocol"],
        "address": address,
        "key_variable": variable,
        "calls_at_once": at_once,
    }


def problem_with_address(address: str) -> str:
    """Say why an address cannot be an endpoint's; "" if it can.

    Looks the host up. One that is not known yet is let through: each call checks again.
    """
    try:
        if len(address) > 300:
            raise AddressError(Problem.SHAPE, "")
        scheme, host, port = addresses.parts_of(address)
        private = settings.PRIVATE_MODEL_NETWORKS
        try:
            found = addresses.resolved(host, port)
        except (OSError, UnicodeError):
            if scheme != "https" and not private:
                raise AddressError(Problem.PLAIN_HTTP, "") from None
            found = []
        addresses.check(scheme, found, private)
    except AddressError as refused:
        return _SENTENCES[refused.problem]()
    return ""


_SENTENCES = {
    Problem.SHAPE: lambda: _(
        "Type an address such as https://models.example.com/v1, without a user, query or fragment."
    ),
    Problem.PRIVATE: lambda: _(
        "This address leads into a private network. The people who run the server can allow it by "
        "PRIVATE_MODEL_NETWORKS."
    ),
    Problem.PLAIN_HTTP: lambda: _("A public address must begin with https://."),
}


# -- models ----------------------------------------------------------------------------------------


@action("staff.scoring")
@transaction.atomic
def add_model(*, actor: Any, provider: str, model: str, **values: Any) -> ServedModel:
    """Enter a model of an endpoint or of a vendor of the environment.

    Args:
        model: as the provider calls it; never changes.
        values: the fields in `MODEL_FIELDS`; those left out have their defaults.

    Raises:
        BadInput: `fields` says what is wrong.
    """
    model = model.strip()
    fields: dict[str, list[str]] = {}
    if provider not in providers.names() or providers.is_offline(provider):
        fields["provider"] = [_("Choose an endpoint that is in use.")]
    if problem := storable.problem_with_name(model, limit=120):
        fields["model"] = [problem if model else _("Type its name as the endpoint calls it.")]
    elif ServedModel.objects.filter(provider=provider, model=model).exists():
        fields["model"] = [_("This model is entered already.")]
    values = _checked_model(_defaults() | values, fields)
    try:
        with transaction.atomic():
            made = ServedModel.objects.create(provider=provider, model=model, **values)
    except IntegrityError:
        raise BadInput(fields={"model": [_("This model is entered already.")]}) from None
    changes = {name: [None, values[name]] for name in MODEL_FIELDS if values[name]}
    ServedModelEvent.objects.create(served=made, actor=actor, changes=changes)
    return made


@action("staff.scoring")
@transaction.atomic
def change_model(
    *, actor: Any, served: ServedModel, revision: int | None = None, **values: Any
) -> ServedModel:
    """Change what is known of a model; runs planned before keep what they recorded.

    Raises:
        BadInput: `fields` says what is wrong.
        Conflict: `changed_meanwhile`.
    """
    now = _locked(served, revision)
    kept = {name: getattr(now, name) for name in MODEL_FIELDS}
    values = _checked_model(kept | values, {})
    wanted = ServedModel(provider=now.provider, model=now.model, **values)
    for row in now.parameters.all():
        if problems := parameters.problems_with(wanted, row.purpose, row.values):
            name = next(iter(problems))
            raise BadInput(
                _("The parameters for “%(purpose)s” need it: %(problem)s")
                % {"purpose": row.get_purpose_display(), "problem": problems[name]}
            )
    return _store(now, values, actor)


@action("staff.scoring")
@transaction.atomic
def retire_model(*, actor: Any, served: ServedModel, retired: bool = True) -> ServedModel:
    """Offer a model no more, or again; what it answered stays.

    Raises:
        Conflict: `wrong_stage`, it is so already.
    """
    now = _locked(served, None)
    if now.retired == retired:
        raise Conflict(_already(retired), code="wrong_stage")
    return _store(now, {"retired": retired}, actor)


def _defaults() -> dict[str, Any]:
    return {name: getattr(ServedModel(), name) for name in MODEL_FIELDS}


def _checked_model(values: dict[str, Any], fields: dict[str, list[str]]) -> dict[str, Any]:
    for name, limit in (("label", 120), ("family", 60)):
        values[name] = str(values.get(name) or "").strip()
        problem = storable.problem_with_name(values[name], limit=limit) if values[name] else None
        if problem:
            fields[name] = [problem]
    for name in ("context_tokens", "most_output_tokens"):
        if values[name] is not None and not 1 <= values[name] <= MOST_CONTEXT:
            fields[name] = [_("At least one token, or empty if it is unknown.")]
    if fields:
        raise BadInput(fields=fields)
    return {name: values[name] for name in MODEL_FIELDS}


@action("staff.scoring")
@transaction.atomic
def set_parameters(
    *,
    actor: Any,
    served: ServedModel,
    purpose: str,
    values: Mapping[str, Any],
    revision: int | None = None,
) -> ServedModel:
    """Set how a model is asked for one purpose; what is left out is left to the model.

    Runs and orders planned before keep their parameters.

    Raises:
        BadInput: `fields` says what is wrong.
        Conflict: `changed_meanwhile`.
    """
    if purpose not in parameters.PURPOSES:
        raise BadInput(fields={"purpose": [_("Choose a purpose.")]})
    now = _locked(served, revision)
    problems = parameters.problems_with(now, purpose, values)
    if problems:
        raise BadInput(fields={name: [problem] for name, problem in problems.items()})
    row = Parameters.objects.filter(served=now, purpose=purpose).first()
    before, after = row.values if row else {}, dict(values)
    if before == after:
        return now
    if row is None:
        Parameters.objects.create(served=now, purpose=purpose, values=after)
    else:
        Parameters.objects.filter(pk=row.pk).update(values=after)
    ServedModel.objects.filter(pk=now.pk).update(revision=F("revision") + 1)
    changes = {
        f"{purpose}.{name}": [before.get(name), after.get(name)]
        for name in parameters.NAMES
        if before.get(name) != after.get(name)
    }
    ServedModelEvent.objects.create(served=now, actor=actor, changes=changes)
    now.refresh_from_db()
    return now


# -- both ------------------------------------------------------------------------------------------


def _locked(row: Row, revision: int | None) -> Row:
    now = type(row)._default_manager.select_for_update().get(pk=row.pk)
    if revision is not None and revision != now.revision:  # type: ignore[attr-defined]
        raise Conflict(
            _("Somebody changed this since you opened it, so nothing was stored."),
            code="changed_meanwhile",
        )
    return now


def _store(now: Any, values: Mapping[str, Any], actor: Any) -> Any:
    changes = {
        name: [getattr(now, name), value]
        for name, value in values.items()
        if getattr(now, name) != value
    }
    if changes:
        type(now).objects.filter(pk=now.pk).update(revision=F("revision") + 1, **values)
        if isinstance(now, Endpoint):
            EndpointEvent.objects.create(endpoint=now, actor=actor, changes=changes)
        else:
            ServedModelEvent.objects.create(served=now, actor=actor, changes=changes)
        now.refresh_from_db()
    return now

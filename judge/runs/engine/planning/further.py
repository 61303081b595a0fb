"""What a run names beside its judge: models in further roles, and a source of documents."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from judge.asking import providers
from judge.asking.calls import cost
from judge.asking.calls.models import Call
from judge.asking.endpoints import queries as endpoints
from judge.asking.providers.base import not_finite
from judge.asking.providers.offline import DEFAULT_MODEL
from judge.methods.base.method import Method
from judge.methods.base.values import JUDGE
from judge.methods.evidence.sources import checked_source

MOST_NAME = 120  # characters of a model's name


def checked_further(
    method: Method,
    further: Mapping[str, tuple[str, str]],
    parameters: Mapping[str, Mapping[str, Any]],
    *,
    with_budget: bool,
) -> dict[str, dict[str, Any]]:
    """Return what a run stores of its models in further roles: provider, model and parameters.

    Args:
        further: role -> (provider, model); the model may be empty for the offline rules.
        parameters: role -> parameters; without them those that staff have set for judging.
        with_budget: whether the run has a budget in money, which needs every price.

    Raises BadInput for a role that the method does not have, and for a model that cannot be asked.
    """
    stored = {}
    for role, (provider, model) in further.items():
        if role not in method.further_roles:
            raise _refused(
                role,
                _("“%(method)s” asks no model in the role “%(role)s”.")
                % {"method": method.label, "role": role},
            )
        model = _checked_model(role, provider, model.strip(), with_budget=with_budget)
        given = parameters.get(role)
        if given is None:
            given = endpoints.parameters_for(provider, model, Call.Purpose.JUDGE)
        if names := not_finite(given):
            raise _refused(
                role,
                _("A model cannot be given NaN or infinity. Give a finite number for: %(names)s.")
                % {"names": ", ".join(names)},
            )
        stored[role] = {"provider": provider, "model": model, "parameters": dict(given)}
    return stored


def _checked_model(role: str, provider: str, model: str, *, with_budget: bool) -> str:
    if provider not in providers.names():
        raise _refused(
            role,
            _("There is no provider “%(name)s”. Available: %(known)s.")
            % {"name": provider, "known": ", ".join(providers.names())},
        )
    model = model or (DEFAULT_MODEL if providers.get(provider).offline else "")
    if not model or len(model) > MOST_NAME:
        raise _refused(role, _("Name the model, in at most %(n)s characters.") % {"n": MOST_NAME})
    if problem := endpoints.why_it_cannot_answer(provider):
        raise _refused(role, problem)
    if with_budget and cost.rates_for(provider, model) is None:
        raise _refused(
            role,
            _(
                "The price of %(provider)s %(model)s is not known, so a budget cannot be kept. "
                "Enter its price first."
            )
            % {"provider": providers.label_of(provider), "model": model},
        )
    return model


def asked_by(
    method: Method, provider: str, model: str, further_models: Mapping[str, Mapping[str, Any]]
) -> dict[str, tuple[str, str]]:
    """Return role -> (provider, model) of a run that is planned, the judge's own included."""
    named = {role: (one["provider"], one["model"]) for role, one in further_models.items()}
    own = (provider, model)
    return {JUDGE: own} | {role: named.get(role, own) for role in method.further_roles}


def checked_search(method: Method, search: str) -> str:
    """Return the source of documents as a run stores it; "" for a method that needs none.

    Raises BadInput where the method needs one and none is named, and for one that is not there.
    """
    if method.needs_search:
        if not search.strip():
            sentence = _("“%(method)s” looks claims up. Name a source of documents.") % {
                "method": method.label
            }
            raise BadInput(sentence, fields={"search": [sentence]})
        return checked_source(search)
    if search.strip():
        sentence = _("“%(method)s” looks nothing up.") % {"method": method.label}
        raise BadInput(sentence, fields={"search": [sentence]})
    return ""


def _refused(role: str, sentence: str) -> BadInput:
    return BadInput(sentence, fields={f"{role}_model": [sentence]})

"""The models that a run asks: its judge, and those of the further roles of its method."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge.methods.base import registry
from judge.methods.base.values import JUDGE
from judge.runs.engine.models import JudgeRun


@dataclass(frozen=True, slots=True)
class AskedModel:
    """A model with the settings of its requests.

    Attributes:
        most_output_tokens: what it writes at most, as staff entered it; None where they did not.
    """

    provider: str
    model: str
    parameters: Mapping[str, Any]
    most_output_tokens: int | None

    @property
    def pair(self) -> tuple[str, str]:
        """What its price goes by."""
        return self.provider, self.model


def models_of(run: JudgeRun) -> dict[str, AskedModel]:
    """Return role -> model, the judge first. A role for which the run names no model is its."""
    judge = AskedModel(run.provider, run.model, run.parameters, _most(run.setup))
    method = registry.METHODS.get(run.method)
    return {JUDGE: judge} | {
        role: _named(run.further_models[role], run.further_setup.get(role) or {})
        if role in run.further_models
        else judge
        for role in (method.further_roles if method else ())
    }


def _named(stored: Mapping[str, Any], setup: Mapping[str, Any]) -> AskedModel:
    return AskedModel(stored["provider"], stored["model"], stored["parameters"], _most(setup))


def _most(setup: Mapping[str, Any]) -> int | None:
    return (setup.get("model") or {}).get("most_output_tokens")


def pairs_of(run: JudgeRun) -> set[tuple[str, str]]:
    """Return (provider, model) of all models that a run asks."""
    return {asked.pair for asked in models_of(run).values()}

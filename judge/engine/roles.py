"""The models that a run asks: its judge, and those of the further roles of its method."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge.engine.models import JudgeRun
from judge.methods import registry
from judge.methods.values import JUDGE


@dataclass(frozen=True, slots=True)
class AskedModel:
    """A model with the settings of its requests."""

    provider: str
    model: str
    parameters: Mapping[str, Any]

    @property
    def pair(self) -> tuple[str, str]:
        """What its price goes by."""
        return self.provider, self.model


def models_of(run: JudgeRun) -> dict[str, AskedModel]:
    """Return role -> model, the judge first. A role for which the run names no model is its."""
    judge = AskedModel(run.provider, run.model, run.parameters)
    method = registry.METHODS.get(run.method)
    return {JUDGE: judge} | {
        role: _named(run.further_models[role]) if role in run.further_models else judge
        for role in (method.further_roles if method else ())
    }


def _named(stored: Mapping[str, Any]) -> AskedModel:
    return AskedModel(stored["provider"], stored["model"], stored["parameters"])


def pairs_of(run: JudgeRun) -> set[tuple[str, str]]:
    """Return (provider, model) of all models that a run asks."""
    return {asked.pair for asked in models_of(run).values()}

"""The events threads report to a run's coordinator, and the jobs it gives them."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from judge.asking.calls.budgets import Grant
from judge.asking.calls.models import Call
from judge.asking.providers.base import Prompt, ProviderError, Reply
from judge.methods.base.material import Material
from judge.methods.base.values import FOUND


@dataclass(frozen=True)
class Job:
    """One response to judge, with everything needed for it.

    `done` holds the outcomes of the parts that are decided already, `kept` the data of those that
    are no lines; `prompt` is the first question, already built for the judgment's key.
    """

    item: int
    judgment: int
    key: str
    task: int
    material: Material
    text: str
    prompt: Prompt
    done: Mapping[str, str] = field(default_factory=dict)
    kept: Mapping[str, Any] = field(default_factory=dict)

    def with_what_follows(self) -> "Job":
        """Return the job with all the parts that follow from those that are decided."""
        job = self
        while set(job.material.parts) <= job.done.keys():
            more = job.material.method.following(job.material, job.text, job.kept)
            if more is None:
                break
            job = replace(job, material=more)
        return job


@dataclass
class Called:
    """One attempt, to be stored."""

    call: Call  # not saved, and without its cost
    came: Reply | ProviderError
    reserved: int  # micro-dollars set aside for it


@dataclass
class Asked:
    """A thread asks leave for one attempt; the answer goes into `grant`, then `ready` is set."""

    role: str
    input_tokens: int
    output_tokens: int
    max_tokens: int | None = None  # what the reply may have; None for the default
    grant: Grant | None = None
    ready: threading.Event = field(default_factory=threading.Event)


@dataclass
class Found:
    """What was read from one reply, stored with its call.

    Verdicts are criterion key -> (outcome, why), findings name -> data.
    """

    job: Job
    called: Called | None
    verdicts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    findings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def outcomes(self) -> dict[str, str]:
        """The outcome of each part that it decides."""
        said = {name: outcome for name, (outcome, _why) in self.verdicts.items()}
        return said | dict.fromkeys(self.findings, FOUND) if self.findings else said


@dataclass
class Ended:
    """Every part of a response has an outcome. `reasons` are those of the failed parts.

    `found` are the last ones read, not stored yet; `findings` are all findings.
    """

    job: Job
    outcomes: dict[str, str]
    reasons: dict[str, str]
    found: Found | None = None
    findings: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Left:
    """A response stays as it is: the run stops, or something broke."""

    job: Job
    cause: Exception

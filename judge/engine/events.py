"""The events threads report to a run's coordinator, and the jobs it gives them."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from judge.calls.budget import Grant
from judge.calls.models import Call
from judge.engine.planning.material import Material
from judge.providers.base import Prompt, ProviderError, Reply


@dataclass(frozen=True)
class Job:
    """One response to judge, with everything needed for it.

    `done` holds the lines an earlier session decided; `prompt` is the first question, already built
    for the judgment's key.
    """

    item: int
    judgment: int
    key: str
    task: int
    material: Material
    text: str
    prompt: Prompt
    done: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Called:
    """One attempt, to be stored."""

    call: Call  # not saved, and without its cost
    came: Reply | ProviderError
    reserved: int  # micro-dollars set aside for it


@dataclass
class Asked:
    """A thread asks leave for one attempt; the answer goes into `grant`, then `ready` is set."""

    input_tokens: int
    output_tokens: int
    grant: Grant | None = None
    ready: threading.Event = field(default_factory=threading.Event)


@dataclass
class Found:
    """Verdicts read from one reply (criterion key -> outcome, why), stored with their call."""

    job: Job
    called: Called | None
    verdicts: dict[str, tuple[str, str]]


@dataclass
class Ended:
    """Every line of a response has an outcome. `reasons` are those of the failed lines."""

    job: Job
    outcomes: dict[str, str]
    reasons: dict[str, str]
    found: Found | None = None


@dataclass
class Left:
    """A response stays as it is: the run stops, or something broke."""

    job: Job
    cause: Exception

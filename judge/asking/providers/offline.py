"""The default provider: rules instead of a model, so that everything works without a key.

It answers in the JSON a model would send, so the same parser reads it and the same record is kept.
docs/offline.md describes it. Pages label its results as made without a model.
"""

import json
import time
from collections.abc import Mapping
from typing import Any

from judge.asking.providers.base import ErrorKind, Prompt, ProviderError, Reply, Stop, Usage
from judge.asking.providers.inputs import (
    AnswerInputs,
    DraftInputs,
    JudgeInputs,
    LabelInputs,
    LintInputs,
    MethodInputs,
)
from judge.asking.providers.rules.answer import answer
from judge.asking.providers.rules.draft import draft
from judge.asking.providers.rules.grade import judge
from judge.asking.providers.rules.labels import labels

DEFAULT_MODEL = "rules-1"


class Offline:
    """Deterministic rules; any name of a model gives the same ones."""

    name = "offline"
    offline = True
    account = "offline"
    batches = None
    most_at_once = None

    @property
    def label(self) -> str:
        """The name that pages show, in the reader's language."""
        # Imported when it is shown: the providers work without Django.
        from django.utils.translation import gettext

        return gettext("Offline rules (no model)")

    def configured(self) -> bool:
        """Return True."""
        return True

    def preload(self) -> None:
        """Do nothing."""

    def family(self, model: str) -> str:
        """Return a family that no model has."""
        return "offline"

    def reply_text(self, raw: str) -> str | None:
        """Return the text of a stored reply; None if it has none."""
        try:
            text = json.loads(raw)["text"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return None
        return text if isinstance(text, str) else None

    def complete(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any], timeout: float
    ) -> Reply:
        """Answer from the prompt's inputs; parameters and timeout are ignored.

        Raises:
            ProviderError: BAD_REQUEST, there is no rule for the inputs.
        """
        # Stored like a vendor's request, so that people can read what was asked.
        request = {
            "model": model,
            "purpose": prompt.purpose,
            "messages": [
                {"role": "system", "content": prompt.prefix},
                {"role": "user", "content": prompt.suffix},
            ],
        }
        started = time.monotonic()
        inputs = prompt.inputs
        if isinstance(inputs, JudgeInputs):
            text = json.dumps(judge(inputs), ensure_ascii=False)
        elif isinstance(inputs, MethodInputs):
            text = json.dumps(inputs.offline(), ensure_ascii=False)
        elif isinstance(inputs, DraftInputs):
            text = json.dumps(draft(inputs), ensure_ascii=False)
        elif isinstance(inputs, LintInputs):
            text = json.dumps({"opinions": []})  # the linter has such rules already
        elif isinstance(inputs, LabelInputs):
            text = json.dumps({"labels": labels(inputs)}, ensure_ascii=False)
        elif isinstance(inputs, AnswerInputs):
            text = answer(inputs)
        else:
            raise ProviderError(
                ErrorKind.BAD_REQUEST,
                f"There is no offline rule for “{prompt.purpose}”.",
                request=request,
            )
        return Reply(
            text=text,
            stop=Stop.COMPLETE,
            usage=Usage(0, 0, 0),
            request=request,
            raw=json.dumps({"rules": DEFAULT_MODEL, "text": text}, ensure_ascii=False),
            seconds=time.monotonic() - started,
            request_id=None,
        )

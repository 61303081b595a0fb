"""The embedded default: rules instead of a model, so that everything works without a key.

It answers in the same JSON a model would send, so the same parser reads it and the same record is
kept. What it does is described in docs/offline.md; wherever its results are shown they are
labelled as made without a model.
"""

import json
import time
from collections.abc import Mapping
from typing import Any

from judge.providers.base import ErrorKind, Prompt, ProviderError, Reply, Stop, Usage
from judge.providers.inputs import AnswerInputs, DraftInputs, JudgeInputs, LintInputs
from judge.providers.rules.answer import answer
from judge.providers.rules.draft import draft
from judge.providers.rules.grade import judge

DEFAULT_MODEL = "rules-1"


class Offline:
    """Deterministic rules. Any model name is taken; `rules-1` is the one there is."""

    name = "offline"
    label = "Offline rules (no model)"
    offline = True
    account = "offline"
    batches = None

    def configured(self) -> bool:
        """Always."""
        return True

    def preload(self) -> None:
        """Nothing to load."""

    def family(self, model: str) -> str:
        """Rules are nobody's relatives."""
        return "offline"

    def said(self, raw: str) -> str | None:
        """The text of a stored reply."""
        try:
            text = json.loads(raw)["text"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return None
        return text if isinstance(text, str) else None

    def complete(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any], timeout: float
    ) -> Reply:
        """Answer from the prompt's structured inputs; parameters and timeout have no meaning here.

        Raises `ProviderError` (BAD_REQUEST) for inputs no rule exists for.
        """
        # Kept as a vendor's would be, so that people read what was asked.
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
        elif isinstance(inputs, DraftInputs):
            text = json.dumps(draft(inputs), ensure_ascii=False)
        elif isinstance(inputs, LintInputs):
            text = json.dumps({"opinions": []})  # what rules can say, the linter says already
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

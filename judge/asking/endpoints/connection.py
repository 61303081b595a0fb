"""Test a model: one small call with the parameters of a purpose, and what came of it in words."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.action import action
from curation.base.web.refusals import BadInput
from judge.asking import providers
from judge.asking.calls import model_client
from judge.asking.calls.cost import in_dollars, schedule_for
from judge.asking.calls.error_words import in_words
from judge.asking.calls.model_client import Chosen, UnusableReplyError
from judge.asking.calls.models import Call
from judge.asking.calls.spending import cost_of
from judge.asking.endpoints.models import ServedModel
from judge.asking.endpoints.parameters import PURPOSES, Purpose
from judge.asking.endpoints.queries import parameters_for
from judge.asking.prompts import builder
from judge.asking.providers.base import ErrorKind, ProviderError, Stop
from judge.asking.providers.retry import Policy

TIMEOUT = 30.0  # seconds; a person waits for it
SHOWN = 5  # tests on the page
MOST_TEXT = 500  # characters of an answer that are shown

_IN_WORDS = (Purpose.ANSWER, Purpose.BASELINE)  # asked without a schema
_ONCE = Policy(most=1)

REASONS: dict[str, Any] = {
    ErrorKind.AUTH: gettext_lazy("The endpoint was not asked, or refuses the key: %(detail)s"),
    ErrorKind.UNKNOWN_MODEL: gettext_lazy("The endpoint does not serve this model: %(detail)s"),
    ErrorKind.BAD_REQUEST: gettext_lazy("The request is refused as it is put: %(detail)s"),
    ErrorKind.CONNECTION: gettext_lazy("The endpoint cannot be reached: %(detail)s"),
    ErrorKind.TIMEOUT: gettext_lazy("The endpoint did not answer in time: %(detail)s"),
    ErrorKind.RATE_LIMITED: gettext_lazy("The endpoint takes no more calls now: %(detail)s"),
    ErrorKind.SERVER: gettext_lazy("The endpoint answers with an error: %(detail)s"),
    Stop.TRUNCATED: gettext_lazy("The model needs more output tokens: allow it more."),
    Stop.REFUSAL: gettext_lazy("The model refused to answer."),
    Stop.FILTERED: gettext_lazy("The endpoint filtered the answer."),
    Stop.OTHER: gettext_lazy("The answer ended for a reason we do not know."),
}


@dataclass(frozen=True, slots=True)
class Tested:
    """A test as the page shows it; `why` is "" where the model answered.

    Attributes:
        cost: in dollars; None where the price or the tokens are unknown.
    """

    call: Call
    text: str
    why: str
    cost: float | None
    at: datetime


@action("staff.scoring")
def check_connection(*, actor: Any, served: ServedModel, purpose: str = Purpose.JUDGE) -> Call:
    """Ask a model one small question as it would be asked for a purpose; return the stored call.

    Call it outside of any transaction: it takes as long as the endpoint does, at most 30 seconds.

    Raises:
        BadInput: there is no such purpose.
    """
    if purpose not in PURPOSES:
        raise BadInput(fields={"purpose": [_("Choose a purpose.")]})
    who = Chosen(providers.get(served.provider), served.model)
    prompt = builder.connection_prompt(structured=purpose not in _IN_WORDS)
    stored: list[Call] = []
    keep: Callable[[Call], None] = stored.append
    try:
        model_client.ask(
            who,
            prompt,
            purpose=Purpose.TEST,
            task=None,
            parameters=parameters_for(served.provider, served.model, purpose),
            on_call=keep,
            policy=_ONCE,
            timeout=TIMEOUT,
        )
    except (ProviderError, UnusableReplyError):
        pass  # the stored call says why
    return stored[-1]


def tests_of(served: ServedModel) -> list[Tested]:
    """Return the latest tests of a model, newest first. Three queries."""
    asked = providers.get(served.provider)
    prices = schedule_for(served.provider, served.model)
    calls = Call.objects.filter(purpose=Purpose.TEST, provider=served.provider, model=served.model)[
        :SHOWN
    ]
    return [
        Tested(
            call=call,
            text=((asked.reply_text(call.reply) if call.reply else None) or "")[:MOST_TEXT],
            why=why_of(call),
            cost=in_dollars(cost_of(call, prices)),
            at=call.at,
        )
        for call in calls
    ]


def why_of(call: Call) -> str:
    """Return in one sentence why a call brought no answer; "" if it did."""
    if not call.error:
        return ""
    return str(REASONS.get(call.error, "%(detail)s")) % {
        "detail": in_words(call.detail) or call.error
    }

"""Staff's pages of endpoints, models, parameters, and of the models that the programme asks."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.action import action
from curation.base.web.once import once
from curation.base.web.refusals import BadInput
from curation.base.web.step import go, refused_at, status_of
from judge.asking import providers
from judge.asking.calls import model_client
from judge.asking.calls.cost import cost_of, in_dollars, schedule_for
from judge.asking.calls.error_words import in_words
from judge.asking.calls.model_client import Chosen, UnusableReplyError
from judge.asking.calls.models import Call
from judge.asking.calls.price_queries import prices_in_force, prices_of
from judge.asking.endpoints import actions, queries
from judge.asking.endpoints import programme as programme_models
from judge.asking.endpoints.forms import (
    EndpointForm,
    ParametersForm,
    ProgrammeForm,
    ServedModelForm,
    TestForm,
)
from judge.asking.endpoints.history import endpoint_history, model_history, programme_history
from judge.asking.endpoints.models import Endpoint, Parameters, ServedModel
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


def models(request: HttpRequest) -> HttpResponse:
    """List the endpoints with their models and prices."""
    rows = queries.endpoint_rows()
    context = {"rows": queries.with_prices(rows, prices_in_force())}
    return render(request, "asking/endpoints/list.html", context)


# -- endpoints -------------------------------------------------------------------------------------


def endpoint_new(request: HttpRequest) -> HttpResponse:
    """Enter an endpoint; the form sent twice enters it once, as its name is unique."""
    form = EndpointForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            made = actions.add_endpoint(actor=request.user, **form.values())
            return go(
                request, _("Entered. Now add a model and test it."), "staff-endpoint", made.name
            )
    return render(
        request, "asking/endpoints/endpoint_new.html", {"form": form}, status=status_of(form)
    )


def endpoint(request: HttpRequest, name: str) -> HttpResponse:
    """Show an endpoint with its models and history, and change it."""
    row = _endpoint(name)
    form = None
    if row.row is not None:
        form = EndpointForm(request.POST if request.method == "POST" else None, endpoint=row.row)
        if request.method == "POST" and form.is_valid():
            with refused_at(form):
                actions.change_endpoint(actor=request.user, endpoint=row.row, **form.values())
                return go(
                    request, _("Saved. The next call goes there."), "staff-endpoint", row.name
                )
    return render(
        request,
        "asking/endpoints/endpoint.html",
        {
            "row": _endpoint(name),
            "form": form,
            "history": [] if row.row is None else endpoint_history(row.row),
        },
        status=200 if form is None else status_of(form),
    )


def endpoint_retire(request: HttpRequest, name: str) -> HttpResponse:
    """Ask an endpoint no more, or again (`step=take_back`)."""
    row = get_object_or_404(Endpoint, name=name)
    retired = request.POST.get("step") != "take_back"
    actions.retire_endpoint(actor=request.user, endpoint=row, retired=retired)
    return go(request, _retired_or_back(retired), "staff-endpoint", name)


def _endpoint(name: str) -> queries.EndpointRow:
    row = queries.endpoint_row(name)
    if row is None:
        raise Http404
    return row


def _retired_or_back(retired: bool) -> str:
    if retired:
        return _("Retired. It is asked no more; what it answered stays.")
    return _("It is in use again.")


# -- models ----------------------------------------------------------------------------------------


@once
def model_new(request: HttpRequest) -> HttpResponse:
    """Enter a model of an endpoint."""
    given = {name: request.GET.get(name, "")[:120] for name in ("provider", "model")}
    form = ServedModelForm(request.POST if request.method == "POST" else None, initial=given)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            made = actions.add_model(actor=request.user, **form.values())
            return go(
                request, _("Entered. Test it now, and enter its price."), "staff-model", made.pk
            )
    return render(
        request, "asking/endpoints/model_new.html", {"form": form}, status=status_of(form)
    )


def model(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a model: what it can, its prices, its parameters, its latest tests; change it."""
    served = get_object_or_404(ServedModel, pk=pk)
    form = ServedModelForm(request.POST if request.method == "POST" else None, served=served)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.change_model(actor=request.user, served=served, **form.values())
            return go(
                request,
                _("Saved. It counts for runs and orders planned from now on."),
                "staff-model",
                pk,
            )
    return _model_page(request, served, form, TestForm())


def model_test(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask a model one small question, and show what came."""
    served = get_object_or_404(ServedModel, pk=pk)
    sign = TestForm(request.POST)
    if not sign.is_valid():
        return _model_page(request, served, ServedModelForm(served=served), sign)
    call = check_connection(actor=request.user, served=served, **sign.cleaned_data)
    said = (
        _("Tested. The reason why it did not answer stands below.")
        if call.error
        else _("Tested. Its answer stands below.")
    )
    return go(request, said, "staff-model", pk)


def _model_page(
    request: HttpRequest, served: ServedModel, form: ServedModelForm, sign: TestForm
) -> HttpResponse:
    now = ServedModel.objects.get(pk=served.pk)
    return render(
        request,
        "asking/endpoints/model.html",
        {
            "served": now,
            "endpoint": _endpoint(now.provider),
            "form": form,
            "sign": sign,
            "tests": tests_of(now),
            "parameters": queries.parameter_rows(now),
            "prices": prices_of(now.provider, now.model),
            "history": model_history(now),
        },
        status=max(status_of(form), status_of(sign)),
    )


def model_retire(request: HttpRequest, pk: int) -> HttpResponse:
    """Offer a model no more, or again (`step=take_back`)."""
    served = get_object_or_404(ServedModel, pk=pk)
    retired = request.POST.get("step") != "take_back"
    actions.retire_model(actor=request.user, served=served, retired=retired)
    return go(request, _retired_or_back(retired), "staff-model", pk)


def model_parameters(request: HttpRequest, pk: int, purpose: str) -> HttpResponse:
    """Set how a model is asked for one purpose."""
    served = get_object_or_404(ServedModel, pk=pk)
    if purpose not in PURPOSES:
        raise Http404
    rows = Parameters.objects.filter(served=served, purpose=purpose)
    initial: dict[str, Any] = {"revision": served.revision}
    initial |= rows.values_list("values", flat=True).first() or {}
    form = ParametersForm(
        request.POST if request.method == "POST" else None,
        initial=initial,
        served=served,
        purpose=purpose,
    )
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.set_parameters(
                actor=request.user, served=served, purpose=purpose, **form.values()
            )
            return go(
                request,
                _("Saved. Test the model with them before you plan a run."),
                "staff-model",
                pk,
            )
    return render(
        request,
        "asking/endpoints/parameters.html",
        {"served": served, "purpose": queries.purpose_label(purpose), "form": form},
        status=status_of(form),
    )


# -- the programme ---------------------------------------------------------------------------------


@once
def programme(request: HttpRequest) -> HttpResponse:
    """Choose the models that the programme asks by itself."""
    form = ProgrammeForm(request.POST) if request.method == "POST" else ProgrammeForm()
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            programme_models.choose_models(actor=request.user, **form.values())
            return go(request, _("Chosen. They are asked from now on."), "staff-models-programme")
    return render(
        request,
        "asking/endpoints/programme.html",
        {"form": form, "history": programme_history()},
        status=status_of(form),
    )

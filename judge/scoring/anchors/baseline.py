"""The baseline response of an anchor: an imported one if there is one, else a model's."""

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import AnchorStage
from curation.base.text import storable
from curation.base.web.refusals import Conflict
from curation.tasks.task.models import Task
from judge.asking.calls import model_client, record
from judge.asking.calls.model_client import Chosen, UnusableReplyError
from judge.asking.calls.models import Call
from judge.asking.candidates import families
from judge.asking.candidates.models import MOST_ANSWERS, Response
from judge.asking.endpoints import programme
from judge.asking.endpoints.file_rules import readable_text
from judge.asking.endpoints.queries import parameters_for
from judge.asking.prompts import builder
from judge.asking.providers.base import Stop
from judge.scoring.anchors.models import Anchor

MOST_UNUSABLE = 4  # answers of one model that are paid for


def answer(anchor: Anchor, who: Chosen | None = None) -> Response:
    """Give the anchor its baseline response and move it to scoring.

    Raises:
        ProviderError, UnusableReplyError, BadInput: no model gave a usable answer.
        Conflict: the anchor moved to another stage meanwhile, or the prompt was amended; nothing
            is changed.
    """
    task = Task.objects.select_related("domain").get(pk=anchor.task_id)
    baselines = Response.objects.filter(task=task, baseline=True)
    response = baselines.filter(superseded_at__isnull=True).first()
    if response is not None:
        return _hand_over(anchor, response, _("The imported baseline response is used."))
    who = who or model_client.chosen(anchor.model or programme.in_use().baseline)
    name = f"{who.model} (baseline)"
    last = families.last_sample(name, task.pk)
    if last >= MOST_ANSWERS:  # checked first, because a call costs money
        raise UnusableReplyError(families.no_sample_left(task.key))
    _refuse_if_hopeless(anchor, who)
    reply = model_client.ask(
        who,
        builder.answer_prompt(readable_text(task, who)),
        purpose=Call.Purpose.BASELINE,
        task=task,
        parameters=parameters_for(who.provider.name, who.model, Call.Purpose.BASELINE),
    )
    words = record.storable(reply.text)
    if storable.is_blank(words):
        raise UnusableReplyError(_("the answer is empty"))
    if words in baselines.values_list("text", flat=True):
        raise UnusableReplyError(_("the answer is the same as the previous baseline"))
    try:
        with transaction.atomic():
            _refuse_if_amended(task)
            response = Response.objects.create(
                key=_free_key(task),
                task=task,
                candidate=families.candidate_named(name),
                sample=last + 1,
                text=words,
                baseline=True,
                source=Response.Source.GENERATED,
                text_version=task.version,
                latency_ms=round(reply.seconds * 1000),
            )
            return _hand_over(anchor, response, _("Answered by %(model)s.") % {"model": who.label})
    except IntegrityError:
        # A baseline was imported while the model wrote, and there can be only one.
        response = baselines.get(superseded_at__isnull=True)
        return _hand_over(anchor, response, _("The imported baseline response is used."))


def _hand_over(anchor: Anchor, response: Response, reason: str) -> Response:
    with transaction.atomic():
        Anchor.objects.filter(pk=anchor.pk, stage=AnchorStage.ANSWERING).update(response=response)
        anchor.response = response
        anchor.advance(AnchorStage.SCORING, actor=None, reason=reason, response=response.key)
    return response


def _refuse_if_hopeless(anchor: Anchor, who: Chosen) -> None:
    """Refuse to pay a model again that has answered several times without a usable answer.

    Staff name another model for the anchor, or import a response.
    """
    since = anchor.history.filter(to_stage=AnchorStage.ANSWERING).aggregate(at=Max("at"))["at"]
    answered = Call.objects.filter(
        task=anchor.task_id,
        purpose=Call.Purpose.BASELINE,
        provider=who.provider.name,
        model=who.model,
        error__in=["", *(stop.value for stop in Stop)],
        at__gte=since or anchor.created_at,
    )
    if answered.count() >= MOST_UNUSABLE:
        raise UnusableReplyError(
            _("%(model)s gave no usable answer in %(n)s tries. Choose another model.")
            % {"model": who.label, "n": MOST_UNUSABLE}
        )


def _refuse_if_amended(task: Task) -> None:
    """Refuse an answer to a prompt that was amended while the model wrote; it is asked again.

    Locks the task, so that an amendment comes before this check or finds the baseline.

    Raises:
        Conflict: `text_amended`.
    """
    since = Task.objects.select_for_update().values_list("prompt_since", flat=True)
    if since.get(pk=task.pk) > task.version:
        raise Conflict(
            _("The task's text was amended while the model wrote, so it is asked again."),
            code="text_amended",
        )


def _free_key(task: Task) -> str:
    base = f"{task.key[:180]}-baseline"
    taken = set(Response.objects.filter(key__startswith=base).values_list("key", flat=True))
    key, number = base, 2
    while key in taken:
        key, number = f"{base}-{number}", number + 1
    return key

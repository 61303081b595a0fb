"""A model's opinions on the lines of a rubric, which the author asks for."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.states import Stateful, move
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.people import User
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.task import text_basis
from curation.tasks.task.models import Task
from curation.tasks.task.text_basis import records
from judge.asking.calls import model_client, record
from judge.asking.calls.model_client import Chosen, UnusableReplyError
from judge.asking.calls.models import Call
from judge.asking.endpoints import programme
from judge.asking.endpoints.file_rules import readable_text
from judge.asking.endpoints.queries import parameters_for
from judge.asking.prompts import builder, parsing
from judge.asking.providers.base import ProviderError, Reply
from judge.asking.providers.inputs import Criterion
from judge.base.queue.send import send
from rubrics.marks import model_opinions
from rubrics.versions.actions import open_working_version
from rubrics.versions.models import Criterion as Line
from rubrics.versions.models import RubricVersion


class OpinionRequest(Stateful):
    """An author's request to have the open lines read; the waiting rows are the queue."""

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("being read")
        READ = "read", gettext_lazy("read")
        FAILED = "failed", gettext_lazy("not read")

    moves = {
        State.WAITING: (State.READ, State.FAILED),
    }

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="opinion_requests")
    version = models.ForeignKey(RubricVersion, on_delete=models.PROTECT, related_name="+")
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    ended_at = models.DateTimeField(null=True, blank=True)
    read_by = models.CharField(max_length=160, blank=True)  # provider and model
    by_rule = models.BooleanField(default=False)  # the offline rules are configured: no opinions
    # Has the hashes of the prompt and of its template.
    call = models.OneToOneField(
        Call, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    problem = models.TextField(blank=True)  # what the provider said; only staff read it

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["task"], condition=Q(state="waiting"), name="one_reading_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", ended_at=None, call=None)
                | Q(state="read", ended_at__isnull=False, call__isnull=False)
                | (Q(state="failed", ended_at__isnull=False) & ~Q(problem="")),
                name="a_reading_says_how_it_ended",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} · {self.state}"


class LineOpinion(models.Model):
    """The model's opinion on one line, with the text of the line at that time."""

    request = models.ForeignKey(OpinionRequest, on_delete=models.PROTECT, related_name="opinions")
    key = models.CharField(max_length=80)
    text = models.TextField()
    says = models.TextField()

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(fields=["request", "key"], name="one_opinion_of_a_line"),
            models.CheckConstraint(condition=~Q(says=""), name="an_opinion_says_something"),
        ]

    def __str__(self) -> str:
        return self.says


# An opinion is stored with its model and the hashes of its prompt. It is shown beside the linter's
# marks, labelled as a model's, and is set aside like a mark. The offline rules give no opinion,
# because the linter already has such rules.


State = OpinionRequest.State


class ModelOpinionService:
    """The service that the workbench calls through `rubrics.marks.model_opinions`."""

    def available(self) -> bool:
        """Return whether a model is chosen for reading lines. One query."""
        return bool(programme.in_use().lint)

    def ask(self, *, actor: Any, task: Task) -> None:
        """Queue a reading of the open lines.

        Raises:
            Conflict: `no_model`; `no_lines`; `being_read`, a reading is queued already.
        """
        if not self.available():
            raise Conflict(_("No model is set up for reading lines."), code="no_model")
        with transaction.atomic():
            version = open_working_version(task)
            if not version.criteria.exists():
                raise Conflict(_("There is no line to read yet."), code="no_lines")
            try:
                with transaction.atomic():
                    request = OpinionRequest.objects.create(
                        task=task, version=version, asked_by=actor
                    )
            except IntegrityError:
                raise Conflict(
                    _("A model is reading these lines already. Load the page again in a minute."),
                    code="being_read",
                ) from None
            transaction.on_commit(partial(send, "read_lines", request.pk))

    def reading(self, task_id: int) -> model_opinions.Reading:
        """Return the newest reading; an empty one if no model is chosen. Three queries at most."""
        if not self.available():
            return model_opinions.Reading()
        request = OpinionRequest.objects.filter(task=task_id).order_by("-id").first()
        if request is None:
            return model_opinions.Reading(available=True)
        note = ""
        if request.state == State.FAILED:
            note = _("The model could not read the lines this time. Nothing is lost; ask again.")
        elif request.by_rule:
            note = _("The offline rules have no opinion beyond the marks.")
        found: Sequence[Any] = ()
        if request.state == State.READ and not request.by_rule:
            found = list(request.opinions.values_list("pk", "key", "text", "says"))
        return model_opinions.Reading(
            request.state,
            request.read_by,
            note,
            request.ended_at or request.asked_at,
            [model_opinions.Opinion(*row) for row in found],
            available=True,
        )


def read_requested_lines(request: OpinionRequest, who: Chosen | None = None) -> None:
    """Have a model read the lines and store its opinions, or why there are none.

    A model's failure never raises.
    """
    lines = list(request.version.criteria.order_by("position", "id"))
    if request.version.frozen:
        fail_request(request, "The rubric was sent before the lines were read.")
        return
    try:
        who = who or model_client.chosen(programme.in_use().lint)
        criteria = [
            Criterion(line.key, line.text, line.importance, line.weight, line.dimension)
            for line in lines
        ]
        text = readable_text(request.task, who)
        prompt = builder.lint_prompt(text, request.task.reference_answer, criteria)
        model_client.ask(
            who,
            prompt,
            purpose=Call.Purpose.LINT,
            task=request.task,
            parameters=parameters_for(who.provider.name, who.model, Call.Purpose.LINT),
            keep=partial(_keep, request, who, lines),
        )
    except (ProviderError, UnusableReplyError, BadInput) as problem:
        label = who.label if who is not None else programme.in_use().lint
        fail_request(request, f"{label}: {record.reason_of(problem)}")


def _keep(
    request: OpinionRequest, who: Chosen, lines: Sequence[Line], call: Call, reply: Reply
) -> None:
    """Store the opinions of a reply together with its call."""
    parsed = parsing.parse_opinions(reply.text, [line.key for line in lines])
    if parsed is None:
        state, problem = State.FAILED, f"{who.label}: the reply could not be read"
    else:
        state, problem = State.READ, ""
    ended = move(
        OpinionRequest.objects.filter(pk=request.pk),
        state,
        problem=problem,
        ended_at=timezone.now(),
        read_by=who.label,
        by_rule=who.provider.offline,
        call=call,
    )
    if not ended:
        raise Conflict(_("Another worker read these lines."), code="lease_lost")
    LineOpinion.objects.bulk_create(
        LineOpinion(request=request, key=line.key, text=line.text, says=opinion)
        for line in lines
        if (opinion := record.storable((parsed or {}).get(line.key, "")))
    )


def fail_request(request: OpinionRequest, problem: str) -> None:
    """Record that a reading failed, with the reason for staff."""
    mine = OpinionRequest.objects.filter(pk=request.pk)
    move(mine, State.FAILED, problem=problem[:500], ended_at=timezone.now())


model_opinions.register(ModelOpinionService())
text_basis.register(
    *records(
        text_basis.ASKED_A_MODEL,
        "judge.OpinionRequest",
        "judge.LineOpinion",
    ),
)
parts.register(
    Part("opinion_requests", OpinionRequest, "asked_by", ("task__key", "asked_at")),
)

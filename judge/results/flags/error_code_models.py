"""The taxonomy of failure modes of each domain, and where people found them."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly
from curation.base.process.states import Stateful
from curation.joining.domains.models import Domain, Named
from curation.joining.people import User
from judge.asking.calls.models import Call
from judge.asking.candidates.models import Response
from judge.runs.engine.models import JudgeRun
from rubrics.versions.models import Criterion


class ErrorCode(Named):
    """A failure mode of a domain. It is retired, never deleted: what has it stays readable."""

    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="error_codes")
    definition = models.TextField()  # when it applies, in words that a model reads too
    definition_zh = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=1)  # rises with each change
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("domain__position", "domain", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["domain", "key"], name="error_code_key_is_unique_in_its_domain"
            ),
            models.CheckConstraint(
                condition=~Q(definition=""), name="an_error_code_has_a_definition"
            ),
        ]


class ErrorCodeChange(AppendOnly):
    """One change of a code: who, when, why, and the texts since then."""

    class Kind(models.TextChoices):
        ADDED = "added", _("added")
        EDITED = "edited", _("edited")
        RETIRED = "retired", _("retired")
        RESTORED = "restored", _("in use again")

    code = models.ForeignKey(ErrorCode, on_delete=models.PROTECT, related_name="changes")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    values = models.JSONField()  # name, name_zh, definition, definition_zh
    reason = models.TextField(blank=True)
    actor = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)


class CodedError(Stateful):
    """A failure mode found in a response: on one line, on the whole, or where judge and expert
    differ on a line (`run` is the judge's).

    A person codes it with a reason, or a model proposes it and a person decides. Only those that
    count are reported.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        COUNTS = "counts", _("counts")
        DISMISSED = "dismissed", _("dismissed")
        TAKEN_BACK = "taken_back", _("taken back")

    moves = {
        State.PROPOSED: (State.COUNTS, State.DISMISSED),
        State.COUNTS: (State.TAKEN_BACK,),
    }
    OPEN = (State.PROPOSED, State.COUNTS)

    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="coded_errors")
    code = models.ForeignKey(ErrorCode, on_delete=models.PROTECT, related_name="found")
    criterion = models.ForeignKey(
        Criterion, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    run = models.ForeignKey(
        JudgeRun, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.TextField()
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    model = models.CharField(max_length=140, blank=True)  # that proposed it; "" for a person's
    at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State.choices)
    # Who confirmed or dismissed a proposal, or took a code back.
    decided_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    decision_reason = models.TextField(blank=True)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["response", "code", "criterion"],
                condition=Q(state__in=("proposed", "counts"), run__isnull=True),
                name="a_line_has_an_error_code_once",
            ),
            models.UniqueConstraint(
                fields=["response", "code"],
                condition=Q(
                    state__in=("proposed", "counts"), run__isnull=True, criterion__isnull=True
                ),
                name="a_response_has_an_error_code_once",
            ),
            models.UniqueConstraint(
                fields=["response", "code", "criterion", "run"],
                condition=Q(state__in=("proposed", "counts"), run__isnull=False),
                name="a_disagreement_has_an_error_code_once",
            ),
            models.CheckConstraint(
                condition=Q(run__isnull=True) | Q(criterion__isnull=False),
                name="a_disagreement_is_on_a_line",
            ),
            models.CheckConstraint(
                condition=Q(by__isnull=False, model="") | (Q(by__isnull=True) & ~Q(model="")),
                name="an_error_is_coded_by_a_person_or_proposed_by_a_model",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_coded_error_has_a_reason"),
            models.CheckConstraint(
                condition=Q(state="proposed", decided_at__isnull=True) | ~Q(state="proposed"),
                name="a_proposed_error_is_undecided",
            ),
            models.CheckConstraint(
                condition=Q(model="") | Q(state="proposed") | Q(decided_by__isnull=False),
                name="a_person_decides_on_a_proposed_error",
            ),
        ]


class CodeRequest(Stateful):
    """A request to have a model propose codes for a response; waiting rows are the queue."""

    class State(models.TextChoices):
        WAITING = "waiting", _("being read")
        READ = "read", _("read")
        FAILED = "failed", _("not read")

    moves = {State.WAITING: (State.READ, State.FAILED)}

    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="code_requests")
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    ended_at = models.DateTimeField(null=True, blank=True)
    call = models.OneToOneField(
        Call, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    problem = models.TextField(blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(
                fields=["response"],
                condition=Q(state="waiting"),
                name="one_reading_for_codes_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", ended_at=None)
                | Q(state="read", ended_at__isnull=False, call__isnull=False)
                | (Q(state="failed", ended_at__isnull=False) & ~Q(problem="")),
                name="a_reading_for_codes_says_how_it_ended",
            ),
        ]

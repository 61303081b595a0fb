"""Judge runs: what was asked, what came back, and the verdicts."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.process.history import AppendOnly
from curation.base.process.states import Stateful
from curation.base.text.wording import translate_stored
from curation.base.web.fields import LineField
from curation.joining.people import User
from judge.asking.calls.error_words import facts_in_words
from judge.asking.candidates.models import Response
from judge.methods.base import registry
from judge.methods.variants.models import JudgeVariant
from judge.scoring.sheets.models import Sheet
from rubrics.versions.models import Criterion, RubricVersion


class JudgeRun(Stateful):
    """One immutable configuration over a set of responses, and how far it has come."""

    class Calls(models.TextChoices):
        PER_RESPONSE = "per_response", _("One call per response")
        PER_CRITERION = "per_criterion", _("One call per line")

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        RUNNING = "running", _("Running")
        PAUSED = "paused", _("Paused")
        STOPPED = "stopped", _("Stopped by its budget")
        CANCELLED = "cancelled", _("Cancelled")
        FINISHED = "finished", _("Finished")

    moves = {
        State.WAITING: (State.WAITING, State.RUNNING, State.PAUSED, State.CANCELLED),
        State.RUNNING: (
            State.WAITING,
            State.RUNNING,
            State.PAUSED,
            State.STOPPED,
            State.FINISHED,
            State.CANCELLED,
        ),
        State.PAUSED: (State.WAITING, State.CANCELLED),
        State.STOPPED: (State.WAITING, State.CANCELLED),
        State.FINISHED: (State.WAITING,),
    }

    # A key of judge/methods/base/registry.py. The database knows no list of them, so that a new
    # method needs no migration; whoever plans a run is refused another key.
    method = models.CharField(max_length=20, validators=[registry.validate_key])
    provider = models.CharField(max_length=20)
    model = LineField(max_length=120)
    parameters = models.JSONField(default=dict, blank=True)
    # Whom it asks, as it was when the run was planned (`judge.asking.endpoints.queries.setup_of`),
    # and the price then. {} for the offline rules and for runs planned before this was recorded.
    setup = models.JSONField(default=dict, blank=True)
    # Models in further roles of the method (`Method.further_roles`): role -> provider, model and
    # parameters; a role that is not named is the judge's own. Their setups, as above, by role.
    further_models = models.JSONField(default=dict, blank=True)
    further_setup = models.JSONField(default=dict, blank=True)
    # Where claims are looked up, as `judge.methods.evidence.sources` names it, and a hash of what
    # was there when the run was planned; "" for nowhere.
    search = LineField(max_length=300, blank=True)
    search_sha256 = models.CharField(max_length=64, blank=True)
    calls_mode = models.CharField(max_length=15, choices=Calls.choices, default=Calls.PER_RESPONSE)
    # Whether first questions go out in the provider's batches: cheaper, answered within a day.
    batch = models.BooleanField(default=False)
    # 0, or the number of the repeat; a repeat asks everything again.
    repeat = models.PositiveSmallIntegerField(default=0)
    experts = LineField(max_length=120, blank=True)  # rater of external exemplars
    # The configuration it was planned with, which settles the text of its prompt and its examples;
    # null for the built-in ones. Its other settings are copied into the columns above.
    variant = models.ForeignKey(
        JudgeVariant, null=True, blank=True, on_delete=models.PROTECT, related_name="runs"
    )
    # Planned to compare two variants on a few responses: pages show another run first.
    for_experiment = models.BooleanField(default=False)
    concurrency = models.PositiveSmallIntegerField(default=8)
    budget_micro = models.PositiveBigIntegerField(null=True, blank=True)
    max_calls = models.PositiveIntegerField(null=True, blank=True)
    allow_same_family = models.BooleanField(default=False)
    # Name of the set of tasks it was planned on (judge/base/gold_sets); "" in runs from before
    # sets.
    task_set = models.CharField(max_length=60, blank=True)
    # Attempts granted under a budget, counted before they are sent: one cut off by a crash leaves
    # no stored call, but may have been billed.
    calls_started = models.PositiveIntegerField(default=0)
    # Money set aside for open attempts, those of earlier sessions included.
    reserved_micro = models.PositiveBigIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    # Why it is paused or has ended, in English with placeholders; `why` translates and fills them.
    reason = models.TextField(blank=True)
    facts = models.JSONField(default=dict, blank=True)
    # When a pause ends by itself, because the provider said when it takes calls again.
    paused_until = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    working_since = models.DateTimeField(
        null=True, blank=True
    )  # in the session at work, or the last
    finished_at = models.DateTimeField(null=True, blank=True)  # finished or cancelled
    lease = models.CharField(max_length=64, blank=True)  # token of the process that works on it
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(paused_until__isnull=True) | Q(state="paused"),
                name="only_a_paused_run_waits_for_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state__in=("finished", "cancelled"), finished_at__isnull=False)
                | (~Q(state__in=("finished", "cancelled")) & Q(finished_at__isnull=True)),
                name="a_run_has_an_end_once_it_is_over",
            ),
        ]

    def __str__(self) -> str:
        return _("Run %(number)s: %(method)s, %(model)s") % {
            "number": self.pk,
            "method": registry.short_of(self.method),
            "model": self.model,
        }

    def get_method_display(self) -> str:
        """Return the method's name in the reader's language."""
        return registry.label_of(self.method)

    @property
    def why(self) -> str:
        """Why the run is paused or has ended, in the reader's language; "" while it is open."""
        return translate_stored(self.reason, facts_in_words(self.facts))


class RunAct(AppendOnly):
    """A person planned, started, paused or cancelled a run; `actor` is null on the command line.

    What the program does itself, such as stopping at a budget, stands on the run.
    """

    class Kind(models.TextChoices):
        PLANNED = "planned", pgettext_lazy("a judge run", "Planned")
        STARTED = "started", _("Started")
        CONTINUED = "continued", _("Continued")
        PAUSED = "paused", _("Paused")
        CANCELLED = "cancelled", _("Cancelled")

    run = models.ForeignKey(JudgeRun, on_delete=models.PROTECT, related_name="acts")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    actor = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.run_id} {self.kind}"


class Takeover(AppendOnly):
    """A run whose worker ended was taken over by another one."""

    run = models.ForeignKey(JudgeRun, on_delete=models.PROTECT, related_name="takeovers")
    ended_at = models.DateTimeField()  # last heartbeat of the worker that ended
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.run_id} {self.ended_at:%Y-%m-%d %H:%M}"


class HeldOutLook(AppendOnly):
    """A judge looks at held-out tasks: why, and with which configuration.

    Attributes:
        run: the run that judges them; None where scores were imported.
        judge: the name of the judge whose scores were imported, "" for a run. The sheets of that
            import were submitted at `at`.
    """

    run = models.OneToOneField(
        JudgeRun, null=True, blank=True, on_delete=models.PROTECT, related_name="look"
    )
    judge = models.CharField(max_length=120, blank=True)
    reason = models.TextField()
    configuration = models.JSONField()
    configuration_sha256 = models.CharField(max_length=64)
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="a_look_has_a_reason"),
            models.CheckConstraint(
                condition=Q(run__isnull=False, judge="") | (Q(run__isnull=True) & ~Q(judge="")),
                name="a_look_is_of_a_run_or_an_import",
            ),
        ]


class Judgment(Stateful):
    """A judge's outcome for one response under one configuration.

    `key` is the hash of judge, parameters, method, rubric version, exemplar and prompt bytes:
    the database refuses to judge the same thing twice. `run` is the run that made it or, while
    it waits, the one that works on it: that run's lease keeps two workers apart.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        COMPLETE = "complete", _("Complete")
        INCOMPLETE = "incomplete", _("Incomplete")  # some line abstained or failed

    moves = {
        State.WAITING: (State.COMPLETE, State.INCOMPLETE),
        State.INCOMPLETE: (State.WAITING,),  # its failed lines are asked again
        State.COMPLETE: (),
    }

    key = models.CharField(max_length=64)
    run = models.ForeignKey(
        JudgeRun, null=True, blank=True, on_delete=models.PROTECT, related_name="judgments"
    )
    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="judgments")
    # null where a method judges a task that has no rubric
    version = models.ForeignKey(
        RubricVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    exemplar = models.ForeignKey(
        Sheet, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    # The version of the task's text whose reference answer it was shown; null for none.
    answer_version = models.PositiveIntegerField(null=True, blank=True)
    method = models.CharField(max_length=20, validators=[registry.validate_key])
    provider = models.CharField(max_length=20)
    model = models.CharField(max_length=120)
    prompt_sha256 = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    # Why it has no score, or why it is 0 although there was nothing to judge, as a code.
    reason = models.CharField(max_length=60, blank=True)
    score_numerator = models.PositiveBigIntegerField(null=True, blank=True)
    score_denominator = models.PositiveBigIntegerField(null=True, blank=True)
    # What the score counts: lines, or for a method without verdicts on lines its own parts.
    lines_total = models.PositiveIntegerField(default=0)
    lines_decided = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key"], name="nothing_is_judged_twice"),
            models.CheckConstraint(
                condition=Q(state="complete", score_numerator__isnull=False)
                | (~Q(state="complete") & Q(score_numerator__isnull=True)),
                name="only_complete_verdicts_have_a_score",
            ),
        ]

    def holds_for(self, answer_version: int | None) -> None:
        """Say that the same question was asked with the reference answer of a later text."""
        before = self.answer_version
        if answer_version is None or before is None or before >= answer_version:
            return
        mine = Judgment.objects.filter(pk=self.pk, answer_version__lt=answer_version)
        mine.update(answer_version=answer_version)
        self.answer_version = answer_version


class RunItem(Stateful):
    """One response in one run: waiting, being judged, judged, failed, or skipped with a reason.

    `version` and `exemplar` are fixed when the run is planned, so that a run resumed later asks
    the same questions.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        JUDGED = "judged", _("Judged")
        FAILED = "failed", _("Failed")
        SKIPPED = "skipped", _("Skipped")

    moves = {
        # Skipped where the task's text is amended before the response is judged.
        State.WAITING: (State.JUDGED, State.FAILED, State.SKIPPED),
        State.FAILED: (State.WAITING, State.JUDGED),
    }

    run = models.ForeignKey(JudgeRun, on_delete=models.PROTECT, related_name="items")
    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="run_items")
    version = models.ForeignKey(
        RubricVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    exemplar = models.ForeignKey(
        Sheet, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    judgment = models.ForeignKey(
        Judgment, null=True, blank=True, on_delete=models.PROTECT, related_name="items"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    reason = models.CharField(max_length=60, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        # Covers the counts of a list of runs.
        indexes = [models.Index(fields=["run", "state", "reason"], name="run_item_states")]
        constraints = [
            models.UniqueConstraint(fields=["run", "response"], name="a_run_holds_a_response_once")
        ]


class Verdict(models.Model):
    """One line's outcome. Abstained and failed are outcomes too, never a 0."""

    class Outcome(models.TextChoices):
        MET = "met", _("met")
        UNMET = "unmet", _("unmet")
        ABSTAINED = "abstained", _("abstained")
        FAILED = "failed", _("failed")

    judgment = models.ForeignKey(Judgment, on_delete=models.PROTECT, related_name="verdicts")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="+")
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    why = models.TextField(blank=True)
    reason = models.CharField(max_length=60, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["judgment", "criterion"], name="one_verdict_per_judgment_and_line"
            ),
            models.CheckConstraint(
                condition=~Q(outcome="failed") | ~Q(reason=""),
                name="a_failed_verdict_has_a_reason",
            ),
        ]


class Finding(models.Model):
    """What a method says of a response that is no verdict on a line, such as a grade.

    `name` is the method's own, `data` are as its package says, null where it failed with a reason.
    """

    judgment = models.ForeignKey(Judgment, on_delete=models.PROTECT, related_name="findings")
    name = models.CharField(max_length=40)
    data = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=60, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["judgment", "name"], name="one_finding_per_judgment_and_name"
            ),
            models.CheckConstraint(
                condition=Q(data__isnull=False, reason="") | Q(data__isnull=True) & ~Q(reason=""),
                name="a_finding_has_data_or_a_reason",
            ),
        ]

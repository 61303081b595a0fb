"""Panels: their rules, screenings, places, votes, reference checks and solves."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.states import Stateful
from curation.base.web.fields import LineField
from curation.joining.domains.models import Domain
from curation.joining.domains.policies import RuleChange
from curation.joining.people import User
from curation.tasks.task.models import Task
from curation.tasks.task.probe_findings import Finding

# What a vote on a task with an exact answer says besides; `panels/exact_tests.py` has the words.
EXACT_TESTS = (
    "unique_answer",
    "stable_answer",
    "not_on_one_page",
    "good_sources",
    "before_cutoff",
)


class Decision(models.TextChoices):
    """The decision of a panel member, or of the panel."""

    KEEP = "keep", _("Keep")
    RETURN = "return", _("Return to the author")
    REJECT = "reject", _("Reject")


class ScreeningPolicy(models.Model):
    """The rules of a domain's panel. The row without a domain applies to all other domains."""

    class Tie(models.TextChoices):
        RETURN = "return", _("A tie returns the task to its author")
        ONE_MORE = "one_more", _("A tie asks one more member of the domain")
        REJECT = "reject", _("A tie rejects the task")

    domain = models.OneToOneField(
        Domain, null=True, blank=True, on_delete=models.PROTECT, related_name="screening_policy"
    )
    quorum = models.PositiveSmallIntegerField(default=1)
    tie = models.CharField(max_length=10, choices=Tie.choices, default=Tie.RETURN)
    days = models.PositiveSmallIntegerField(default=5)  # time for a vote or a check
    draw = models.BooleanField(default=True)  # draw members; otherwise they take places themselves
    samples = models.PositiveSmallIntegerField(default=3)  # answers per probing model
    solved_percent = models.PositiveSmallIntegerField(default=60)  # share of weight of a pass
    easy_percent = models.PositiveSmallIntegerField(default=80)  # too easy above this pass rate
    suspect_percent = models.PositiveSmallIntegerField(default=10)  # suspect below this pass rate

    class Meta:
        verbose_name_plural = "screening policies"
        constraints = [
            models.UniqueConstraint(
                Coalesce("domain", 0),
                name="one_screening_policy_for_all_other_domains",
            ),
            models.CheckConstraint(
                condition=Q(quorum__gte=1, quorum__lte=15), name="a_quorum_is_one_to_fifteen"
            ),
            models.CheckConstraint(
                condition=Q(samples__gte=1, samples__lte=20, days__gte=1),
                name="samples_and_days_are_counts",
            ),
            models.CheckConstraint(
                condition=Q(
                    easy_percent__lte=100,
                    solved_percent__lte=100,
                    suspect_percent__lt=F("easy_percent"),
                ),
                name="probe_limits_are_percentages_in_order",
            ),
        ]

    def __str__(self) -> str:
        return str(self.domain) if self.domain else str(_("All other domains"))


class PolicyChange(RuleChange):
    """A change of the rules by staff: who, when, from what to what."""

    policy = models.ForeignKey(ScreeningPolicy, on_delete=models.PROTECT, related_name="changes")


class Screening(models.Model):
    """One screening of a task: its rules, and what probing found.

    The rules are copied when the screening opens, so that a later change of the policy does not
    affect a panel that is voting.
    """

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="screenings")
    round = models.PositiveSmallIntegerField()
    opened_at = models.DateTimeField(default=timezone.now)
    quorum = models.PositiveSmallIntegerField()  # number of votes that decide; a tie may add one
    tie = models.CharField(max_length=10, choices=ScreeningPolicy.Tie.choices)
    days = models.PositiveSmallIntegerField()
    draw = models.BooleanField(default=True)
    finding = models.CharField(max_length=10, choices=Finding.choices, default=Finding.UNKNOWN)
    probing = models.JSONField(default=dict, blank=True)  # counts, limits; see probe_findings

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "round"], name="one_screening_per_round"),
            models.CheckConstraint(
                condition=Q(quorum__gte=1, quorum__lte=15, days__gte=1),
                name="a_screening_has_a_quorum_and_days",
            ),
        ]


class PanelPlace(Stateful):
    """An expert's place in one screening: to vote, to check the reference answer, or to solve.

    Given by the draw, taken from the pool, or given by staff; then used, handed back or expired.
    """

    class Kind(models.TextChoices):
        VOTE = "vote", _("Vote")
        CHECK = "check", _("Check of the reference answer")
        SOLVE = "solve", _("Solve without the answer")

    class State(models.TextChoices):
        OPEN = "open", _("Waiting")
        VOTED = "voted", _("Done")
        SKIPPED = "skipped", _("Handed back")
        EXPIRED = "expired", _("Expired")
        RELEASED = "released", _("No longer needed")

    moves = {
        State.OPEN: (State.VOTED, State.SKIPPED, State.EXPIRED, State.RELEASED),
    }

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="panel_places")
    round = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.VOTE)
    member = models.ForeignKey(User, on_delete=models.PROTECT, related_name="panel_places")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    reason = models.TextField(blank=True)  # why it was handed back or taken back
    left_behind = models.TextField(blank=True)  # a checker's unfinished answer
    given_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True, blank=True)  # the member has read the task
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("due_at", "id")
        indexes = [
            models.Index(fields=["due_at"], condition=Q(state="open"), name="panel_place_due")
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["task", "round", "member"], name="one_place_per_member_and_screening"
            ),
            models.CheckConstraint(
                condition=~Q(state="skipped") | ~Q(reason=""),
                name="handing_a_place_back_has_a_reason",
            ),
            models.UniqueConstraint(
                fields=["task", "round"],
                condition=Q(kind="check", state__in=["open", "voted"]),
                name="one_checker_per_screening",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "voted", "skipped", "expired", "released"]),
                name="panel_place_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["vote", "check", "solve"]), name="panel_place_kind_is_known"
            ),
        ]


class ReferenceCheck(models.Model):
    """A check by a second expert, who solves a suspect task before seeing its reference answer.

    Opened if almost no model passes: the task is very hard, or its reference answer is wrong.
    """

    class Verdict(models.TextChoices):
        RIGHT = "right", _("The reference answer is right")
        FLAWED = "flawed", _("The reference answer has a fault")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="reference_checks")
    round = models.PositiveSmallIntegerField()
    checker = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="reference_checks"
    )
    created_at = models.DateTimeField(default=timezone.now)
    opened_at = models.DateTimeField(null=True, blank=True)  # the checker began
    answer = models.TextField(blank=True)  # the checker's own, before seeing the reference
    revision = models.PositiveIntegerField(default=0)  # of the answer; refuses stale saves
    saved_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)  # the reference is shown from here
    seconds = models.PositiveIntegerField(null=True, blank=True)  # from opening to answering
    verdict = models.CharField(max_length=10, choices=Verdict.choices, blank=True)
    remarks = models.TextField(blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task", "round"], name="one_reference_check_per_screening"
            ),
            models.CheckConstraint(
                condition=Q(verdict="")
                | (Q(answered_at__isnull=False, checker__isnull=False) & ~Q(remarks="")),
                name="a_reference_is_judged_after_the_own_answer",
            ),
        ]


class Solve(models.Model):
    """One of the two solves of a task with an exact answer, by an expert who does not know it.

    The solver hands in an own answer, or looks at the author's steps first and so verifies instead
    of solving. Then the solver compares, and says whether the answer is right and the only one.
    """

    class Verdict(models.TextChoices):
        RIGHT = "right", _("Right, and the only answer")
        WRONG = "wrong", _("Wrong, or not the only answer")
        UNCLEAR = "unclear", _("Unclear")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="solves")
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()  # 1 or 2
    solver = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="solves"
    )
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)  # the solver opened the task
    # Before handing in, the solver looked at the steps, or knew them from an earlier round.
    looked_at = models.DateTimeField(null=True, blank=True)
    answer = LineField(max_length=200, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)  # handed in; the answer is shown
    seconds = models.PositiveIntegerField(null=True, blank=True)  # from opening to handing in
    agrees = models.BooleanField(null=True, blank=True)  # None: not certain by rule
    verdict = models.CharField(max_length=10, choices=Verdict.choices, blank=True)
    remarks = models.TextField(blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("task", "round", "number")
        constraints = [
            models.UniqueConstraint(
                fields=["task", "round", "number"], name="two_solves_per_screening"
            ),
            models.UniqueConstraint(
                fields=["task", "round", "solver"], name="nobody_solves_a_task_twice_at_once"
            ),
            models.CheckConstraint(condition=Q(number__in=[1, 2]), name="a_solve_is_one_of_two"),
            models.CheckConstraint(
                condition=Q(verdict__in=["", "right", "wrong", "unclear"]),
                name="solve_verdict_is_known",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True)
                | Q(solver__isnull=False, started_at__isnull=False, seconds__isnull=False)
                & (~Q(answer="") | Q(looked_at__isnull=False)),
                name="a_solve_ends_with_an_answer_or_a_look",
            ),
            models.CheckConstraint(
                condition=Q(verdict="", decided_at__isnull=True)
                | ~Q(verdict="")
                & ~Q(remarks="")
                & Q(ended_at__isnull=False, decided_at__isnull=False),
                name="an_answer_is_judged_after_solving",
            ),
        ]

    @property
    def unaided(self) -> bool:
        """Whether the solver handed in without having seen the steps."""
        return self.ended_at is not None and self.looked_at is None


class ScreeningVote(models.Model):
    """One member's vote in one screening of a task.

    The tests of `panels/exact_tests.py` are answered for tasks with an exact answer only.
    """

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="screening_votes")
    round = models.PositiveSmallIntegerField()
    member = models.ForeignKey(User, on_delete=models.PROTECT, related_name="screening_votes")
    difficult = models.BooleanField()
    representative = models.BooleanField()
    gradable = models.BooleanField()
    unique_answer = models.BooleanField(null=True, blank=True)
    stable_answer = models.BooleanField(null=True, blank=True)
    not_on_one_page = models.BooleanField(null=True, blank=True)
    good_sources = models.BooleanField(null=True, blank=True)
    before_cutoff = models.BooleanField(null=True, blank=True)
    decision = models.CharField(max_length=10, choices=Decision.choices)
    reasons = models.TextField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("at",)
        constraints = [
            models.UniqueConstraint(
                fields=["task", "round", "member"], name="one_vote_per_member_and_screening"
            ),
            models.CheckConstraint(condition=~Q(reasons=""), name="a_vote_has_reasons"),
            models.CheckConstraint(
                condition=Q(decision__in=Decision.values), name="decision_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(decision="keep")
                | Q(difficult=True, representative=True, gradable=True),
                name="kept_prompts_pass_all_three_tests",
            ),
            models.CheckConstraint(
                condition=~Q(decision="keep")
                | ~Q(unique_answer=False)
                & ~Q(stable_answer=False)
                & ~Q(not_on_one_page=False)
                & ~Q(good_sources=False)
                & ~Q(before_cutoff=False),
                name="kept_exact_answers_pass_their_tests",
            ),
            models.CheckConstraint(
                condition=Q(**dict.fromkeys((f"{name}__isnull" for name in EXACT_TESTS), True))
                | Q(**dict.fromkeys((f"{name}__isnull" for name in EXACT_TESTS), False)),
                name="the_tests_of_an_exact_answer_go_together",
            ),
        ]

"""Tasks, the seats around them, and the slots that cap them."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process import lifecycle
from curation.base.process.history import AppendOnly, Staged, StageEvent
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.web.fields import LineField
from curation.joining.domains.models import Category, Domain
from curation.joining.people import User
from curation.tasks.work_map.models import WorkType


class Origin(models.TextChoices):
    """Where a task comes from."""

    OWN = "own", _("Written here")
    EXTERNAL = "external", _("From another benchmark")
    COLLECTED = "collected", _("Collected from business")
    SKILL = "skill", _("A skill of the library")


# What goes through the process from screening to the benchmark; external tasks and skills do not.
THROUGH_THE_PROCESS = (Origin.OWN, Origin.COLLECTED)
# What has a rubric that people here write and review. A skill's rubric has its checkpoints.
REVIEWED_HERE = (*THROUGH_THE_PROCESS, Origin.SKILL)
# What a candidate may be asked, and what is counted and listed as a task.
ANSWERABLE = (*THROUGH_THE_PROCESS, Origin.EXTERNAL)
# A skill begins with its rubric: there is no text to write, probe or screen.
SKILL_STAGES = ("refining", "in_review", "deciding", "spot_check", "approved", "discarded")


class RateBand(models.TextChoices):
    """The hourly rate of a profession in US dollars; times the minutes it gives a task's value."""

    UNDER_50 = "under_50", _("under 50 USD")
    TO_100 = "50_100", _("50 to 100 USD")
    TO_200 = "100_200", _("100 to 200 USD")
    TO_400 = "200_400", _("200 to 400 USD")
    OVER_400 = "over_400", _("over 400 USD")


class Change(models.TextChoices):
    """Whether the right answer changes with time."""

    STATIC = "static", _("The right answer stays the same")
    DYNAMIC = "dynamic", _("The right answer changes with time")


class AnswerForm(models.TextChoices):
    """What an answer to a task looks like; each form has methods of judging of its own."""

    TEXT = "text", _("A text, graded by a rubric")
    EXACT = "exact", _("A few words or one number")
    LIST = "list", _("A list, compared with a gold list")
    PROFILE = "profile", _("A profile, checked by questions")
    SELECTION = "selection", _("A selection of profiles, by conditions")


class Prompt(models.Model):
    """The text an author writes: three components, the reference answer, and facts about them.

    Tasks and trial tasks are written on the same pages, so they have the same columns.
    """

    title = LineField(max_length=200, blank=True)
    scenario = models.TextField(blank=True)
    materials = models.TextField(blank=True)
    requirements = models.TextField(blank=True)
    reference_answer = models.TextField(blank=True)
    category = models.ForeignKey(
        Category, null=True, blank=True, on_delete=models.PROTECT, related_name="%(class)ss"
    )
    language = models.CharField(max_length=10, default="en", blank=True)
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    rate_band = models.CharField(max_length=10, choices=RateBand.choices, blank=True)
    change = models.CharField(max_length=10, choices=Change.choices, blank=True)
    valid_until = models.DateField(null=True, blank=True)  # of a dynamic answer; None: not known
    work_type = models.ForeignKey(
        WorkType, null=True, blank=True, on_delete=models.PROTECT, related_name="%(class)ss"
    )
    sources = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=1)  # of the text; refuses stale saves

    class Meta:
        abstract = True


class Task(Prompt, Staged):
    """A professional task with its reference answer and its life."""

    process = lifecycle.TASK

    key = models.CharField(max_length=120)  # the file's id, or generated; never reused
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.OWN)
    # Decides which methods can judge its answers; see docs/methods.md.
    answer_form = models.CharField(
        max_length=10, choices=AnswerForm.choices, default=AnswerForm.TEXT
    )
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="tasks")
    labels = models.JSONField(default=list, blank=True)
    content_hash = models.CharField(max_length=64, blank=True)  # of the imported line
    author = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="tasks"
    )
    # The record of where a collected task comes from; staff's own.
    collection = models.OneToOneField(
        "curation.Collection",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="task",
    )
    # US dollars for an hour of this work, where it is known exactly; else there is a `rate_band`.
    hourly_rate = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    # The expert who took the rubric over from the author, or writes it for a task without one;
    # null while the author writes it.
    rubric_author = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="rubrics_taken_over"
    )
    stage = models.CharField(max_length=20, choices=Stage.choices, default=Stage.DRAFT)
    screening_round = models.PositiveSmallIntegerField(default=0)
    # The versions of the text by which the last amendments came into force: what rests on an
    # earlier prompt or reference answer, or a rubric written for an earlier text, is stale
    # (`tasks/text_basis.py`).
    prompt_since = models.PositiveIntegerField(default=0)
    rubric_since = models.PositiveIntegerField(default=0)
    answer_since = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        indexes = [
            models.Index(fields=["stage", "domain"], name="task_stage_domain"),
            models.Index(fields=["author", "stage"], name="task_author_stage"),
            models.Index(fields=["origin"], name="task_origin"),  # lists count by it
        ]
        constraints = [
            models.UniqueConstraint(fields=["key"], name="task_key_is_unique"),
            models.CheckConstraint(condition=Q(stage__in=Stage.values), name="task_stage_is_known"),
            models.CheckConstraint(
                condition=Q(answer_form__in=AnswerForm.values), name="answer_form_is_known"
            ),
            models.CheckConstraint(
                condition=Q(origin__in=["external", "collected", "skill"], author__isnull=True)
                | Q(origin="own", author__isnull=False),
                name="an_own_task_has_an_author",
            ),
            models.CheckConstraint(
                condition=Q(origin="collected", collection__isnull=False)
                | ~Q(origin="collected") & Q(collection__isnull=True),
                name="a_collected_task_has_its_owners_permission",
            ),
            models.CheckConstraint(
                condition=~Q(origin="collected", change="dynamic")
                | Q(stage__in=["draft", "withdrawn"])
                | Q(valid_until__isnull=False),
                name="a_collected_dynamic_task_is_valid_until_a_day",
            ),
            models.CheckConstraint(
                condition=~Q(origin="skill")
                | Q(stage__in=SKILL_STAGES, rubric_author__isnull=False, answer_form="text"),
                name="a_skill_has_a_writer_and_nothing_to_screen",
            ),
            models.CheckConstraint(
                condition=Q(hourly_rate__isnull=True) | Q(hourly_rate__gt=0),
                name="an_hourly_rate_is_above_zero",
            ),
            models.CheckConstraint(
                condition=Q(rubric_author__isnull=True)
                | Q(origin__in=["collected", "skill"])
                | Q(author__isnull=False) & ~Q(rubric_author=models.F("author")),
                name="a_rubric_is_taken_over_by_another_person",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.key

    def advance(self, to: str, *, actor: Any, reason: str = "", **data: Any) -> None:
        """Move to another stage; the history of a skill says that it is one."""
        facts = {**data, "skill": True} if self.is_skill else data
        super().advance(to, actor=actor, reason=reason, **facts)

    @property
    def external(self) -> bool:
        return self.origin == Origin.EXTERNAL

    @property
    def collected(self) -> bool:
        return self.origin == Origin.COLLECTED

    @property
    def is_skill(self) -> bool:
        """Whether its rubric has the checkpoints of a skill, and nobody answers it."""
        return self.origin == Origin.SKILL

    @property
    def rubric_author_pk(self) -> int | None:
        """The id of whoever writes the rubric: the author, or the expert who took it over."""
        return self.rubric_author_id or self.author_id


class TaskEvent(StageEvent):
    """History of a task. `from_stage` equals `to_stage` for events that do not move it."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="history")

    class Meta(StageEvent.Meta):
        indexes = [models.Index(fields=["task", "at"], name="task_event_task_at")]


class TextVersion(AppendOnly):
    """An earlier text of a task: of a submission, or kept before a save or an amendment."""

    class Why(models.TextChoices):
        WRITING = "writing", _("While writing")
        SUBMITTED = "submitted", _("Submitted")
        RESTORED = "restored", _("Before an older text was restored")
        AMENDED = "amended", _("Before an amendment")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="text_versions")
    number = models.PositiveIntegerField()
    why = models.CharField(max_length=10, choices=Why.choices)
    parts = models.JSONField()  # field -> text
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("task", "-number")
        constraints = [
            models.UniqueConstraint(fields=["task", "number"], name="text_version_number_is_unique")
        ]


class Seat(models.Model):
    """A person's role on a task; one per person and task, so nobody judges their own work."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="seats")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="seats")
    role = models.CharField(max_length=20, choices=Role.choices)
    taken_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "user"], name="one_seat_per_person_and_task"),
            models.UniqueConstraint(
                fields=["task", "role"],
                condition=Q(role="author"),
                name="one_author_per_task",
            ),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="seat_role_is_known"),
        ]


class Slot(models.Model):
    """One of an expert's numbered slots, used by a task. Unique numbers enforce the limit."""

    expert = models.ForeignKey(User, on_delete=models.PROTECT, related_name="slots")
    number = models.PositiveSmallIntegerField()
    task = models.OneToOneField(Task, on_delete=models.PROTECT, related_name="slot")
    taken_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("expert", "number")
        constraints = [
            models.UniqueConstraint(
                fields=["expert", "number"], name="one_task_per_slot_of_an_expert"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="slots_count_from_one"),
        ]


class SlotGrant(models.Model):
    """One additional slot that staff granted to an expert, numbered from 1 per expert."""

    expert = models.ForeignKey(User, on_delete=models.PROTECT, related_name="slot_grants")
    number = models.PositiveSmallIntegerField()
    granted_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="a_granted_slot_has_a_reason"),
            models.UniqueConstraint(
                fields=["expert", "number"], name="a_slot_is_granted_once_by_its_number"
            ),
        ]

"""A question with everything said on it, and the answers that a whole domain reads."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.history import AppendOnly
from curation.base.process.states import Stateful
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from curation.telling.questions.roles import WORDS
from curation.telling.questions.subjects import LINTER, linter_rules


class AskedQuestion(Stateful):
    """What somebody asks about a task, a line of its rubric, or a rule.

    Attributes:
        line_key, line_number, line_text: of the line as it was when the question was asked.
        rule_kind, rule: "guideline" with a heading, or "linter" with the code of a rule.
        role: as what the person asks; pages show it instead of a name.
        entries: how much was said on it; the next entry takes the next number.
    """

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("Waits for an answer")
        ANSWERED = "answered", gettext_lazy("Answered")
        SETTLED = "settled", gettext_lazy("Settled")

    moves = {
        State.OPEN: (State.ANSWERED, State.SETTLED),
        State.ANSWERED: (State.OPEN, State.SETTLED),
        State.SETTLED: (State.OPEN,),
    }

    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="+")
    task = models.ForeignKey(
        Task, null=True, blank=True, on_delete=models.PROTECT, related_name="asked_questions"
    )
    line_key = models.CharField(max_length=80, blank=True)
    line_number = models.PositiveIntegerField(null=True, blank=True)
    line_text = models.TextField(blank=True)
    rule_kind = models.CharField(max_length=10, blank=True)
    rule = models.CharField(max_length=200, blank=True)
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="asked_questions")
    role = models.CharField(max_length=20)
    at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    waits_since = models.DateTimeField(default=timezone.now)  # of the newest question on it
    entries = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("-id",)
        indexes = [models.Index(fields=["state", "domain"], name="question_state")]
        constraints = [
            models.CheckConstraint(
                condition=Q(task__isnull=False, rule_kind="", rule="")
                | Q(task__isnull=True, line_key="", rule_kind__in=["guideline", "linter"])
                & ~Q(rule=""),
                name="a_question_is_about_a_task_or_a_rule",
            ),
            models.CheckConstraint(
                condition=Q(line_key="", line_number__isnull=True, line_text="")
                | ~Q(line_key="") & Q(line_number__isnull=False),
                name="a_question_about_a_line_names_it",
            ),
        ]

    @property
    def about(self) -> str:
        """What it is about, without the text of a task: "line 7 of a rubric", "a task"."""
        if self.line_number is not None:
            return _("line %(n)s of a rubric") % {"n": self.line_number}
        if self.task_id is not None:
            return _("a task")
        if self.rule_kind == LINTER:
            return _("the mark “%(rule)s”") % {"rule": linter_rules().get(self.rule, self.rule)}
        return _("the rule “%(rule)s”") % {"rule": self.rule}

    @property
    def asker(self) -> Any:
        """The asker in words, without a name."""
        return WORDS.get(self.role, self.role)


class QuestionEntry(AppendOnly):
    """One thing said on a question: the question itself, a follow-up, an answer, a correction.

    Attributes:
        corrects: the answer, or the correction of it, whose words this one replaces.
    """

    class Kind(models.TextChoices):
        QUESTION = "question", gettext_lazy("asks")
        FOLLOW_UP = "follow_up", gettext_lazy("asks on")
        ANSWER = "answer", gettext_lazy("answers")
        CORRECTION = "correction", gettext_lazy("corrects the answer")

    question = models.ForeignKey(AskedQuestion, on_delete=models.PROTECT, related_name="thread")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    text = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="question_entries")
    role = models.CharField(max_length=20)
    at = models.DateTimeField(default=timezone.now)
    corrects = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="corrected_by"
    )

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(
                fields=["question", "number"], name="entries_of_a_question_are_numbered"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="an_entry_says_something"),
            models.CheckConstraint(
                condition=Q(kind="correction", corrects__isnull=False)
                | ~Q(kind="correction") & Q(corrects__isnull=True),
                name="a_correction_names_what_it_corrects",
            ),
        ]

    @property
    def who(self) -> Any:
        """Who said it, without a name."""
        return WORDS.get(self.role, self.role)


class SharedAnswer(models.Model):
    """Question and answer as the experts of a domain read them, in words that fit everybody.

    A new wording ends the one before, so each question has one at most that is shown.
    """

    question = models.ForeignKey(AskedQuestion, on_delete=models.PROTECT, related_name="shared")
    asked = models.TextField()
    answered = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(
                fields=["question"],
                condition=Q(ended_at__isnull=True),
                name="a_question_is_shared_once_at_a_time",
            ),
            models.CheckConstraint(
                condition=~Q(asked="") & ~Q(answered=""), name="what_is_shared_says_something"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True)
                | Q(ended_at__isnull=False, ended_by__isnull=False),
                name="what_is_shared_no_more_says_who_ended_it",
            ),
        ]

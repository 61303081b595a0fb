"""Steps on many tasks: assign reviewers, reopen, discard, take back."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.bulk import BulkStep
from curation.base.web.forms import ReasonForm
from curation.joining.people import User
from curation.staff.pipeline.deadline_bulk_steps import load_tasks, name_of_task
from curation.tasks.task.models import Task
from review.rounds.assignment_actions import assign, assign_least_busy
from review.spot_checks.actions import discard, reopen
from review.staff.taking_back import take_back


class ReviewerForm(forms.Form):
    """Who reviews the tasks: one person, or the least busy of each."""

    reviewer = forms.CharField(
        required=False,
        max_length=254,
        label=gettext_lazy("Reviewer"),
        help_text=gettext_lazy(
            "Number or e-mail address. Empty: the least busy expert of each task's domain."
        ),
    )

    def clean_reviewer(self) -> User | None:
        """Return the person, from the number or the address typed; None if nothing is."""
        typed = self.cleaned_data["reviewer"].strip()
        if not typed:
            return None
        rows = User.objects.filter(is_active=True)
        number = typed.isascii() and typed.isdigit() and len(typed) < 10
        found = rows.filter(pk=int(typed)) if number else rows.filter(email__iexact=typed)
        person = found.first()
        if person is None:
            raise forms.ValidationError(
                _("Nobody has this address. Type a number or a whole e-mail address.")
            )
        return person


def _assign(*, actor: Any, thing: Task, reviewer: User | None) -> None:
    if reviewer is None:
        assign_least_busy(task=thing, actor=actor)
    else:
        assign(task=thing, reviewer=reviewer, actor=actor)


def _with_reason(do: Any) -> Any:
    def run(*, actor: Any, thing: Task, reason: str) -> None:
        do(actor=actor, task=thing, reason=reason)

    return run


def _moves(key: str, do: Any, **words: Any) -> BulkStep:
    return BulkStep(
        key=key,
        place=2,
        permission="staff.editing",
        load=load_tasks,
        named=name_of_task,
        run=_with_reason(do),
        form=ReasonForm,
        asks_first=True,
        **words,
    )


STEPS = (
    BulkStep(
        key="assign",
        place=1,
        label=gettext_lazy("Assign a reviewer …"),
        text=gettext_lazy("Each task in review gets one more reviewer, whose round opens at once."),
        permission="staff.editing",
        load=load_tasks,
        named=name_of_task,
        run=_assign,
        form=ReviewerForm,
        button=lambda n: ngettext("Assign for %(n)s", "Assign for %(n)s", n) % {"n": n},
        done=lambda n: (
            ngettext(
                "%(n)s task has one more reviewer.", "%(n)s tasks have one more reviewer each.", n
            )
            % {"n": n}
        ),
    ),
    _moves(
        "reopen",
        reopen,
        label=gettext_lazy("Reopen …"),
        text=gettext_lazy(
            "The rubrics go back to their authors with your reason, and through review again."
        ),
        button=lambda n: ngettext("Reopen %(n)s", "Reopen %(n)s", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s task is open again.", "%(n)s tasks are open again.", n) % {"n": n}
        ),
    ),
    _moves(
        "take-back",
        take_back,
        label=gettext_lazy("Take back …"),
        text=gettext_lazy(
            "Rejected, withdrawn and discarded tasks return to the stage they came from."
        ),
        button=lambda n: ngettext("Take %(n)s back", "Take %(n)s back", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s task was taken back.", "%(n)s tasks were taken back.", n) % {"n": n}
        ),
    ),
    _moves(
        "discard",
        discard,
        label=gettext_lazy("Discard …"),
        text=gettext_lazy(
            "Approved tasks leave the benchmark. Releases that hold them keep their copy."
        ),
        button=lambda n: ngettext("Discard %(n)s", "Discard %(n)s", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s task was discarded.", "%(n)s tasks were discarded.", n) % {"n": n}
        ),
        danger=True,
    ),
)

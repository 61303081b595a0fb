"""Staff's settings of methods: bands of coverage, scales of grades, demands of list tasks."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput
from curation.joining.domains.models import Category
from curation.joining.domains.policies import next_state
from curation.tasks.task.demands import problems_with, write_demand
from curation.tasks.task.models import AnswerForm, Task
from judge.methods.graded.scale import HIGHEST, GradeScale
from judge.methods.list_match.bands import problem_with
from judge.methods.list_match.facts import BandTable, ListDemand

LONGEST_SENTENCE = 500  # characters of the words of a grade


@action("staff.scoring")
@transaction.atomic
def set_bands(
    *,
    actor: Any,
    coverage: Sequence[int],
    invented: Sequence[tuple[int, int]],
    reason: str,
    read: int | None = None,
) -> BandTable:
    """Set the table of bands for judgments from now on; earlier tables and grades stay.

    Args:
        coverage, invented: as `judge.methods.list_match.bands.Bands` has them.
        read: the number of the table that the page showed; None skips the comparison.

    Raises:
        BadInput: the table cannot be used, or there is no reason.
        Conflict: another table was set meanwhile.
    """
    reason = required_reason(reason)
    if code := problem_with(coverage, invented):
        field, sentence = _band_problems()[code]
        raise BadInput(sentence, fields={field: [sentence]})
    rows = [list(row) for row in invented]
    return next_state(
        BandTable, read=read, coverage=list(coverage), invented=rows, reason=reason, set_by=actor
    )


def _band_problems() -> Mapping[str, tuple[str, str]]:
    """Return for each code of `problem_with` the field of the form, and what is wrong."""
    return {
        "coverage": ("at_2", _("Coverages are whole numbers from 1 to 100 percent.")),
        "rising": ("at_3", _("A better grade needs a higher coverage than the one before.")),
        "invented": ("over_4", _("Shares of invented entries are from 0 to 99 percent, rising.")),
        "grades": ("over_4", _("Invented entries limit the grade to 1, 2, 3 or 4.")),
        "falling": ("over_4", _("More invented entries allow a lower grade only.")),
    }


@action("staff.scoring")
@transaction.atomic
def set_scale(
    *,
    actor: Any,
    category: Category | None,
    sentences: Sequence[str],
    reason: str,
    read: int | None = None,
) -> GradeScale:
    """Say what the five grades mean, for a kind of task or for all that have no scale of their own.

    Args:
        sentences: five, of the grades 1 to 5; all empty to go back to the next wider scale.
        read: the number of the newest scale that the page showed; None skips the comparison.

    Raises:
        BadInput: a sentence is missing or too long, or there is no reason.
        Conflict: another scale was set meanwhile.
    """
    reason = required_reason(reason)
    words = [storable.clean(sentence).strip() for sentence in sentences]
    fields: dict[str, list[str]] = {}
    for n, sentence in enumerate(words, start=1):
        if any(words) and not sentence:
            fields[f"grade_{n}"] = [_("Describe this grade too, or leave all five empty.")]
        elif problem := storable.problem_with(sentence, limit=LONGEST_SENTENCE):
            fields[f"grade_{n}"] = [problem]
    if len(words) != HIGHEST or fields:
        raise BadInput(fields=fields)
    return next_state(
        GradeScale,
        read=read,
        category=category,
        sentences=words if any(words) else [],
        reason=reason,
        set_by=actor,
    )


@action("staff.scoring")
@transaction.atomic
def set_demand(*, actor: Any, task: str, number: int, what: str) -> ListDemand:
    """Say how many of what a list task asks for; its judgments are made again from then on.

    Args:
        task: its key.

    Raises:
        BadInput: there is no such list task, the number is none, or the things have no name.
    """
    fields: dict[str, list[str]] = {}
    known = not storable.problem_with(task)
    found = Task.objects.filter(key=task.strip()).first() if known else None
    if found is None:
        fields["task"] = [_("There is no task with this key.")]
    elif found.answer_form != AnswerForm.LIST:
        fields["task"] = [_("The answer to this task is no list.")]
    demand = {"number": number, "what": what}
    if found is not None and not fields:
        fields = problems_with(found, AnswerForm.LIST, demand)
    if fields or found is None:
        raise BadInput(fields=fields)
    write_demand(actor, found, demand)
    return ListDemand.objects.get(task=found)

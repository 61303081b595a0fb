"""Staff choose practice sheets of a domain, explain their lines, and retire them."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict, Denied
from judge.asking.candidates.models import Response
from judge.scoring.practice.known_verdicts import known_in
from judge.scoring.scorers.practice_models import PracticeLine, PracticeSheet

EXPLANATION_LIMIT = 2000  # characters


@action("staff.scoring")
@transaction.atomic
def add_practice_sheet(*, actor: Any, response: Response) -> PracticeSheet:
    """Make a response with known verdicts a practice sheet of its domain, and keep its verdicts.

    From then on, whoever has no sheet in the domain yet practises first.

    Raises:
        Conflict: `not_known`, not every line has an agreed verdict; `practice_already`.
    """
    domain = response.task.domain_id
    known = next((one for one in known_in(domain) if one.response == response.pk), None)
    if known is None:
        raise Conflict(
            _(
                "Not every line of this response has an agreed verdict by the rubric that counts. "
                "Choose another response."
            ),
            code="not_known",
        )
    try:
        with transaction.atomic():
            made = PracticeSheet.objects.create(
                domain_id=domain, response=response, version_id=known.version, added_by=actor
            )
    except IntegrityError:
        raise Conflict(
            _("This response is a practice sheet already."), code="practice_already"
        ) from None
    PracticeLine.objects.bulk_create(
        PracticeLine(practice_sheet=made, criterion_id=line, met=met)
        for line, met in known.met.items()
    )
    return made


def may_be_given(user: Any, practice_sheet: PracticeSheet) -> bool:
    """Return whether a person could still practise on a sheet, or does: they read no verdict.

    Up to three queries. One that is retired counts as well, because it can be used again.
    """
    if practice_sheet.domain_id not in user.qualified_domain_ids():
        return False
    mine = practice_sheet.attempts.filter(user=user).first()
    if mine is not None:
        return mine.ended_at is None
    return not user.seats.filter(task=practice_sheet.response.task_id).exists()


@action("staff.scoring")
@transaction.atomic
def explain_lines(
    *, actor: Any, practice_sheet: PracticeSheet, explanations: Mapping[int, str], revision: int
) -> None:
    """Set the explanations of a practice sheet's lines. Who practised before reads them too.

    Args:
        explanations: id of a practice line -> its explanation, "" for none.
        revision: of the practice sheet when it was read.

    Raises:
        BadInput: an explanation cannot be stored; `fields` has the reason by `line-ID`.
        Denied: `own_practice`, the person could be given the sheet.
        Conflict: `changed_meanwhile`.
    """
    if may_be_given(actor, practice_sheet):
        raise Denied(
            _("You could be given this practice sheet. Somebody else of the staff explains it."),
            code="own_practice",
        )
    problems = {
        f"line-{pk}": [problem]
        for pk, text in explanations.items()
        if (problem := storable.problem_with(text, limit=EXPLANATION_LIMIT))
    }
    if problems:
        raise BadInput(fields=problems)
    mine = PracticeSheet.objects.filter(pk=practice_sheet.pk, revision=revision)
    if not mine.update(revision=F("revision") + 1):
        raise Conflict(
            _("Somebody changed these explanations meanwhile. Load the page again to see how."),
            code="changed_meanwhile",
        )
    for line in PracticeLine.objects.filter(practice_sheet=practice_sheet):
        if line.pk in explanations:
            line.explanation = storable.clean(explanations[line.pk]).strip()
            line.save(update_fields=["explanation"])


@action("staff.scoring")
@transaction.atomic
def set_practice_use(*, actor: Any, practice_sheet: PracticeSheet, in_use: bool) -> None:
    """Retire a practice sheet, so that nobody is given it, or take it into use again.

    Raises:
        Conflict: `no_change`, it is so already.
    """
    mine = PracticeSheet.objects.filter(pk=practice_sheet.pk, retired_at__isnull=not in_use)
    if not mine.update(retired_at=None if in_use else timezone.now()):
        raise Conflict(_("This was decided already."), code="no_change")

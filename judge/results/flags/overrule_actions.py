"""Overrule a finding of a judgment with a reason, and take that back."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict, Denied, NotFound
from judge.base.gold_sets.task_sets import is_closed, why_closed
from judge.methods.base import registry
from judge.methods.base.overruling import Overrulable, Said
from judge.results.flags.overrules import (
    Overrule,
    OverruledScore,
    Rows,
    collected_it,
    findings_of,
    overrules_of,
    score_with,
    standing,
)
from judge.runs.engine.models import Judgment

REASON_LIMIT = 2000  # characters


@action("judgment.overrule", about="judgment.response.task")
@transaction.atomic
def overrule_finding(
    *, actor: Any, judgment: Judgment, finding: str, said: Said, reason: str
) -> Overrule:
    """Overrule a finding. The score with overrules follows; the judge's own stays.

    No model is asked again: answers to items that the judge gave knowing a verdict stay as they
    are when that verdict is overruled, until somebody overrules them, too.

    Args:
        finding: its name within the judgment.
        said: what counts instead.

    Raises:
        BadInput: no reason, an answer or confidence that the finding does not take, or what the
            judge says already.
        Conflict: `held_out`, the task is in a closed held-out half; `still_judged`.
        Denied: `own_response`, the person collected the response.
        NotFound: the judgment has no such finding that can be overruled.
    """
    reason = required_reason(reason, _("Say why, in a sentence."), limit=REASON_LIMIT)
    judgment = _locked(actor, judgment)
    findings = findings_of(judgment.pk)
    found = registry.get(judgment.method).overrulable(findings).get(finding)
    if found is None:
        raise NotFound()
    _check(found, said)
    made = Overrule.objects.create(
        judgment=judgment,
        finding=finding,
        answer=said.answer,
        confidence=said.confidence,
        cited_page=said.cited_page,
        reason=reason,
        by=actor,
    )
    _store_score(judgment, findings)
    return made


@action("judgment.overrule", about="overrule.judgment.response.task")
@transaction.atomic
def take_back_overrule(*, actor: Any, overrule: Overrule) -> Overrule:
    """Take an overrule back, one's own or a colleague's: the judge's finding counts again.

    Raises:
        Conflict: `wrong_stage`, it was taken back already, or somebody overruled it again;
            otherwise as for `overrule_finding`.
        Denied: as for `overrule_finding`.
    """
    judgment = _locked(actor, overrule.judgment)
    now = standing(overrules_of([judgment.pk])[judgment.pk]).get(overrule.finding)
    if now is None or now.pk != overrule.pk:
        raise Conflict(
            _("This was taken back or overruled again already. Load the page again."),
            code="wrong_stage",
        )
    made = Overrule.objects.create(judgment=judgment, finding=overrule.finding, by=actor)
    _store_score(judgment, findings_of(judgment.pk))
    return made


def _locked(actor: Any, judgment: Judgment) -> Judgment:
    """Lock the judgment, so that the score is that of all overrules; refuse what must not be."""
    locked = Judgment.objects.select_for_update(of=("self",)).get(pk=judgment.pk)
    if collected_it(actor, locked.response_id):
        raise Denied(
            _("You collected this response, so a colleague overrules what a judge says of it."),
            code="own_response",
        )
    if is_closed(judgment.response.task_id):
        raise Conflict(why_closed(), code="held_out")
    if locked.state == Judgment.State.WAITING:
        raise Conflict(
            _("A run is judging this response at the moment. Overrule it when that has ended."),
            code="still_judged",
        )
    return locked


def _check(finding: Overrulable, said: Said) -> None:
    """Refuse what cannot be said of a finding, and what the judge says already."""
    problems: dict[str, list[str]] = {}
    if said.answer not in finding.answers:
        problems["answer"] = [_("Choose one of the answers.")]
    sure = said.confidence
    if finding.takes_confidence and (sure is None or not 0 <= sure <= 100):
        problems["confidence"] = [_("Say how sure you are, in whole percent from 0 to 100.")]
    elif not finding.takes_confidence and sure is not None:
        problems["confidence"] = [_("An answer to an item has no confidence.")]
    if said.cited_page and said.cited_page not in finding.cited_pages:
        problems["cited_page"] = [_("Choose what the cited page says.")]
    if not problems and finding.said is not None and _same(finding.said, said):
        problems["answer"] = [_("The judge says so already. Take back what overrules it.")]
    if problems:
        raise BadInput(fields=problems)


def _same(judge: Said, said: Said) -> bool:
    return (judge.answer, judge.confidence) == (said.answer, said.confidence) and (
        said.cited_page in ("", judge.cited_page)
    )


def _store_score(judgment: Judgment, findings: Mapping[str, Any]) -> None:
    """Compute the score with the overrules that count; there is none where none counts."""
    store(judgment, findings, overrules_of([judgment.pk])[judgment.pk])


def store(judgment: Judgment, findings: Mapping[str, Any], rows: Rows) -> None:
    """Store the score of a locked judgment with the overrules that count.

    Args:
        rows: all its overrules, by the name of the finding.
    """
    now = standing(rows)
    if not now:
        OverruledScore.objects.filter(judgment=judgment).delete()
        return
    score = score_with(registry.get(judgment.method), findings, now)
    OverruledScore.objects.update_or_create(
        judgment=judgment,
        defaults={
            "numerator": score.numerator,
            "denominator": score.denominator,
            "at": timezone.now(),
        },
    )

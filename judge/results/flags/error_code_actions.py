"""Staff edit the taxonomy of a domain, put codes on errors and decide on a model's proposals."""

from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Response
from judge.base.gold_sets.task_sets import is_closed, why_closed
from judge.base.queue.send import send
from judge.results.flags.error_code_models import (
    CodedError,
    CodeRequest,
    ErrorCode,
    ErrorCodeChange,
)
from judge.runs.engine.models import JudgeRun, Verdict
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion

TEXTS = ("name", "name_zh", "definition", "definition_zh")
LONGEST = {"name": 120, "name_zh": 120, "definition": 2000, "definition_zh": 2000}
_DECIDED = {Verdict.Outcome.MET: True, Verdict.Outcome.UNMET: False}
Kind = ErrorCodeChange.Kind


# --- the taxonomy ---------------------------------------------------------------------------------
@action("staff.scoring")
@transaction.atomic
def add_code(*, actor: Any, domain: Domain, **texts: str) -> ErrorCode:
    """Add a failure mode to a domain.

    Args:
        texts: those in `TEXTS`; the Chinese ones may be missing.

    Raises:
        BadInput: invalid texts, named in `fields`.
    """
    values = _checked(texts)
    key = _free_key(domain, values["name"])
    code = ErrorCode.objects.create(domain=domain, key=key, **values)
    _record(code, Kind.ADDED, actor, "")
    return code


@action("staff.scoring")
@transaction.atomic
def edit_code(*, actor: Any, code: ErrorCode, version: int, reason: str, **texts: str) -> ErrorCode:
    """Change the texts of a code; its earlier texts stay in its history.

    Args:
        version: of the code when it was read.

    Raises:
        BadInput: invalid texts, or no reason.
        Conflict: `changed_meanwhile`.
    """
    reason = required_reason(reason, _("Say why it changes. It stays in the history."))
    values = _checked({**{name: getattr(code, name) for name in TEXTS}, **texts})
    mine = ErrorCode.objects.filter(pk=code.pk, version=version)
    if not mine.update(version=F("version") + 1, **values):
        raise Conflict(
            _("Somebody changed this code meanwhile. Load the page again to see how."),
            code="changed_meanwhile",
        )
    code.refresh_from_db()
    _record(code, Kind.EDITED, actor, reason)
    return code


@action("staff.scoring")
@transaction.atomic
def set_in_use(*, actor: Any, code: ErrorCode, in_use: bool, reason: str) -> ErrorCode:
    """Retire a code, so that nobody puts it on anything new, or take it into use again.

    Raises:
        BadInput: no reason.
        Conflict: `no_change`, it is so already.
    """
    reason = required_reason(reason, _("Say why. It stays in the history."))
    mine = ErrorCode.objects.filter(pk=code.pk, retired_at__isnull=not in_use)
    now = None if in_use else timezone.now()
    if not mine.update(retired_at=now, version=F("version") + 1):
        raise Conflict(_("This was decided already."), code="no_change")
    code.refresh_from_db()
    _record(code, Kind.RESTORED if in_use else Kind.RETIRED, actor, reason)
    return code


def _checked(texts: dict[str, str]) -> dict[str, str]:
    fields: dict[str, list[str]] = {}
    values = {name: texts.get(name) or "" for name in TEXTS}
    for name, text in values.items():
        problem = storable.problem_with(text, limit=LONGEST[name])
        if problem:
            fields[name] = [problem]
    if storable.is_blank(values["name"]):
        fields["name"] = [_("Give the failure mode a name.")]
    if storable.is_blank(values["definition"]):
        fields["definition"] = [_("Say when it applies, so that two people code alike.")]
    if fields:
        raise BadInput(fields=fields)
    return {name: storable.clean(text).strip() for name, text in values.items()}


def _free_key(domain: Domain, name: str) -> str:
    """Return a key from the name that no code of the domain has."""
    base = slugify(name)[:50] or "code"
    taken = set(ErrorCode.objects.filter(domain=domain).values_list("key", flat=True))
    numbered = (f"{base}-{n}" for n in range(2, len(taken) + 3))
    return base if base not in taken else next(key for key in numbered if key not in taken)


def _record(code: ErrorCode, kind: str, actor: Any, reason: str) -> None:
    values = {name: getattr(code, name) for name in TEXTS}
    ErrorCodeChange.objects.create(code=code, kind=kind, values=values, reason=reason, actor=actor)


# --- errors ---------------------------------------------------------------------------------------
@action("staff.scoring")
@transaction.atomic
def code_error(
    *,
    actor: Any,
    response: Response,
    code: ErrorCode,
    criterion: Criterion | None,
    run: JudgeRun | None,
    reason: str,
) -> CodedError:
    """Say which failure mode a response has on a line, or what lies behind a disagreement.

    Args:
        criterion: the line; None for the response as a whole.
        run: the judge that differs from an expert on the line; None for an error of the response.
            A run that rests on the judgment of another stands for the one that asked.

    Raises:
        BadInput: no reason, or code, line and run do not fit together.
        Conflict: `coded_already`; `held_out`, the task is in a closed held-out half; `baseline`.
    """
    reason = required_reason(reason, _("Say what shows it, so that a colleague can check it."))
    refuse_closed(response)
    refuse_baseline(response)
    fields: dict[str, list[str]] = {}
    if code.domain_id != response.task.domain_id or code.retired_at is not None:
        fields["code"] = [_("Choose a code in use in the domain of the task.")]
    if criterion is not None and criterion.version.task_id != response.task_id:
        fields["line"] = [_("Choose a line of the rubric of this task.")]
    elif run is not None and criterion is None:
        fields["line"] = [_("Choose the line on which judge and expert differ.")]
    elif run is not None and criterion is not None:
        verdict = differing_verdict(response, criterion, run)
        if verdict is None:
            fields["run"] = [_("This judge and the experts do not differ on this line.")]
        elif _is_coded(verdict, response, code):
            raise _coded_already()
        else:
            run = verdict.judgment.run
    if fields:
        raise BadInput(fields=fields)
    try:
        with transaction.atomic():
            return CodedError.objects.create(
                response=response,
                code=code,
                criterion=criterion,
                run=run,
                reason=reason,
                by=actor,
                state=CodedError.State.COUNTS,
            )
    except IntegrityError:
        raise _coded_already() from None


def _coded_already() -> Conflict:
    return Conflict(
        _("This code stands there already, or a model has proposed it."), code="coded_already"
    )


def _is_coded(verdict: Verdict, response: Response, code: ErrorCode) -> bool:
    """Return whether a code stands on a verdict, for any run that rests on its judgment.

    A run that asks for what failed becomes the one that asked.
    """
    return CodedError.objects.filter(
        response=response,
        code=code,
        criterion=verdict.criterion_id,
        run__items__judgment=verdict.judgment_id,
        state__in=(CodedError.State.PROPOSED, CodedError.State.COUNTS),
    ).exists()


def differing_verdict(response: Response, criterion: Criterion, run: JudgeRun) -> Verdict | None:
    """Return a run's verdict on a line; None unless an expert's submitted sheet says otherwise."""
    verdict = (
        Verdict.objects.filter(
            judgment__items__run=run, judgment__response=response, criterion=criterion
        )
        .select_related("judgment__run")
        .last()
    )
    said = None if verdict is None else _DECIDED.get(Verdict.Outcome(verdict.outcome))
    experts = SheetLine.objects.filter(
        sheet__response=response,
        sheet__kind=Sheet.Kind.EXPERT,
        sheet__state=Sheet.State.SUBMITTED,
        criterion=criterion,
    )
    return verdict if said is not None and experts.filter(met=not said).exists() else None


def refuse_closed(response: Response) -> None:
    """Raise Conflict for a response to a task of a closed held-out half."""
    if is_closed(response.task_id):
        raise Conflict(why_closed(), code="held_out")


def why_baseline() -> str:
    """Say why a baseline gets no code."""
    return _("This is a baseline: judges learn from it, and it counts for no candidate.")


def refuse_baseline(response: Response) -> None:
    """Raise Conflict for a baseline."""
    if response.baseline:
        raise Conflict(why_baseline(), code="baseline")


@action("staff.scoring")
@transaction.atomic
def decide_proposal(*, actor: Any, error: CodedError, confirm: bool, reason: str = "") -> None:
    """Confirm a model's proposal, which counts from then on, or dismiss it with a reason.

    Raises:
        BadInput: no reason for dismissing it.
        Conflict: `decided`, somebody has decided; `held_out`.
    """
    refuse_closed(error.response)
    if not confirm:
        reason = required_reason(reason, _("Say why the proposal is wrong."))
    to = CodedError.State.COUNTS if confirm else CodedError.State.DISMISSED
    if not _decide(error, to, actor, reason):
        raise Conflict(_("Somebody has decided on this proposal."), code="decided")


@action("staff.scoring")
@transaction.atomic
def take_code_back(*, actor: Any, error: CodedError, reason: str) -> None:
    """Take a code off, one's own or a colleague's; it stays on record and counts no longer.

    Raises:
        BadInput: no reason.
        Conflict: `taken_back`, it does not count now; `held_out`.
    """
    refuse_closed(error.response)
    reason = required_reason(reason, _("Say why the code does not fit."))
    if not _decide(error, CodedError.State.TAKEN_BACK, actor, reason):
        raise Conflict(_("This code does not count any more."), code="taken_back")


def _decide(error: CodedError, to: str, actor: Any, reason: str) -> int:
    mine = CodedError.objects.filter(pk=error.pk)
    return move(mine, to, decided_by=actor, decided_at=timezone.now(), decision_reason=reason)


@action("staff.scoring")
@transaction.atomic
def ask_for_codes(*, actor: Any, response: Response) -> CodeRequest:
    """Queue a reading of a response by the programme's model, or by the offline rules.

    Raises:
        Conflict: `no_codes`, the domain has none in use; `being_read`; `held_out`; `baseline`.
    """
    refuse_closed(response)
    refuse_baseline(response)
    domain = response.task.domain_id
    if not ErrorCode.objects.filter(domain=domain, retired_at__isnull=True).exists():
        raise Conflict(_("This domain has no error code in use."), code="no_codes")
    try:
        with transaction.atomic():
            made = CodeRequest.objects.create(response=response, asked_by=actor)
    except IntegrityError:
        raise Conflict(
            _("A model is reading this response already. Load the page again in a minute."),
            code="being_read",
        ) from None
    transaction.on_commit(partial(send, "propose_error_codes", made.pk))
    return made

"""Plan a run: its responses, their versions and exemplars, and what is skipped and why."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models.functions import Left
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.process.lifecycle import AnchorStage
from curation.tasks.models import Origin
from curation.text import storable
from curation.web.refusals import BadInput
from judge import providers
from judge.anchors.exemplar_validity import fitting
from judge.anchors.models import Anchor
from judge.candidates import families
from judge.candidates.models import Candidate, Response
from judge.engine import held_out, lease
from judge.engine.models import JudgeRun, RunItem
from judge.engine.planning.choice import chosen_responses, listed_names
from judge.gold_sets.task_sets import EVERY_OPEN_TASK, TaskSet
from judge.prices import cost
from judge.providers.base import not_finite
from judge.providers.offline import DEFAULT_MODEL
from judge.queue.locks import Lock, take_lock
from judge.sheets.models import Sheet
from rubrics.versions.models import RubricVersion
from rubrics.versions.queries import versions_that_count

MAX_CONCURRENCY = 256
MOST_CALLS = 10_000_000  # of one run; also what fits the database's column

SKIPPED = {
    "baseline": gettext_lazy("it is the baseline, which the judge sees as its example"),
    "no_rubric": gettext_lazy("the task has no rubric"),
    "no_exemplar": gettext_lazy("the task has no scored example"),
    "exemplar_outdated": gettext_lazy("the scored example belongs to an older rubric"),
    "same_family": gettext_lazy("the judge is from the candidate's own house"),
    "empty_response": gettext_lazy("the response is empty"),
}


_BEGINNING = 200  # characters; only a text whose beginning is blank is read as a whole


@transaction.atomic
def plan_run(
    *,
    actor: Any,
    method: str,
    provider: str,
    model: str = "",
    parameters: Mapping[str, Any] | None = None,
    calls_mode: str = JudgeRun.Calls.PER_RESPONSE,
    concurrency: int = 8,
    budget_micro: int | None = None,
    max_calls: int | None = None,
    experts: str = "",
    task_keys: Sequence[str] | None = None,
    candidates: Sequence[str] | None = None,
    allow_same_family: bool = False,
    batch: bool = False,
    repeat: int = 0,
    hold: str = "",
    tasks: TaskSet = EVERY_OPEN_TASK,
    held_out_reason: str = "",
) -> JudgeRun:
    """Create a run with one item per response; nothing is asked yet.

    Args:
        model: may be empty for the offline rules.
        parameters: further settings of the request, by our names; finite numbers.
        budget_micro: at most this many millionths of a dollar; needs a known price.
        max_calls: at most this many calls, failed ones included.
        experts: whose imported sheets are the exemplars, where several raters scored a baseline.
        task_keys, candidates: only these keys and names; None means all.
        allow_same_family: judge candidates of the judge's own family, too.
        batch: send first questions in the provider's batches: half the price, within a day.
        repeat: which repetition of the configuration it is; each asks anew.
        hold: a lease token; the run is created as claimed with it, so no other worker takes it.
        tasks: the set of tasks that is judged; `task_keys` narrow it further.
        held_out_reason: why held-out tasks are judged; needed if there are some.

    Raises:
        BadInput: the run cannot be made; nothing is created.
    """
    model = _check(method, provider, model, calls_mode, concurrency, budget_micro, max_calls)
    parameters = dict(parameters or {})
    _check_parameters(parameters)
    if batch:
        _check_batch(provider, calls_mode)
    take_lock(Lock.SPLIT, shared=True)  # no split may pass between the check and the run
    responses = chosen_responses(task_keys, candidates, tasks)
    judged = {response.task_id for response in responses}
    look = held_out.checked_reason(judged, held_out_reason)
    versions = versions_that_count(judged)
    exemplars = _exemplars(judged, versions, experts) if method == JudgeRun.Method.ONE_SHOT else {}
    own = providers.get(provider).family(model).casefold()
    relatives = (
        set()
        if allow_same_family
        else {c.pk for c in Candidate.objects.all() if families.normalized_family(c) == own}
    )
    blank = _blank([response.pk for response in responses])
    run = JudgeRun.objects.create(
        method=method,
        provider=provider,
        model=model,
        parameters=parameters,
        calls_mode=calls_mode,
        experts=experts,
        concurrency=concurrency,
        budget_micro=budget_micro,
        max_calls=max_calls,
        allow_same_family=allow_same_family,
        batch=batch,
        repeat=repeat,
        task_set=str(tasks),
        created_by=actor,
    )
    if look:
        held_out.record_look(run, look, actor)
    if hold:
        lease.claim_run(run.pk, hold, states=(JudgeRun.State.WAITING,))
        run.refresh_from_db()
    RunItem.objects.bulk_create(
        [
            _item(run, response, versions, exemplars, relatives, blank)
            for response in sorted(responses, key=lambda r: (r.task_id, r.pk))
        ],
        batch_size=500,
    )
    return run


def _check(
    method: str,
    provider: str,
    model: str,
    calls_mode: str,
    concurrency: int,
    budget_micro: int | None,
    max_calls: int | None,
) -> str:
    """Check the settings of a run and return the model's name. Raises BadInput."""
    fields: dict[str, list[str]] = {}
    if method not in JudgeRun.Method.values:
        fields["method"] = [_("Choose one_shot or zero_shot.")]
    if calls_mode not in JudgeRun.Calls.values:
        fields["calls"] = [_("Choose per_response or per_criterion.")]
    if not 1 <= concurrency <= MAX_CONCURRENCY:
        fields["concurrency"] = [
            _("Between 1 and %(most)s calls can be under way at once.") % {"most": MAX_CONCURRENCY}
        ]
    if budget_micro is not None and budget_micro < 0:
        fields["budget_usd"] = [_("A budget cannot be negative.")]
    if max_calls is not None and not 0 <= max_calls <= MOST_CALLS:
        fields["max_calls"] = [
            _("The number of calls must be between 0 and %(most)s.") % {"most": f"{MOST_CALLS:,}"}
        ]
    if provider not in providers.names():
        fields["provider"] = [
            _("There is no provider “%(name)s”. Available: %(known)s.")
            % {"name": provider, "known": ", ".join(providers.names())}
        ]
    else:
        vendor = providers.get(provider)
        model = model.strip() or (DEFAULT_MODEL if vendor.offline else "")
        if not model:
            fields["model"] = [_("Name the model that judges.")]
        elif len(model) > 120:
            fields["model"] = [_("A model's name has at most 120 characters.")]
        elif problem := storable.problem_with(model):
            fields["model"] = [problem]
        if not vendor.configured():
            fields["provider"] = [
                _("No key is set for %(name)s. Set %(variable)s and try again.")
                % {"name": vendor.label, "variable": f"{provider.upper()}_API_KEY"}
            ]
        elif budget_micro is not None and model and cost.rates_for(provider, model) is None:
            fields["budget_usd"] = [
                _(
                    "The price of %(provider)s %(model)s is not known, so a budget in money cannot "
                    "be kept. Enter its price (under Runs, or manage.py set_price), or limit the "
                    "calls instead."
                )
                % {"provider": vendor.label, "model": model}
            ]
    if fields:
        raise BadInput(" ".join(m for messages in fields.values() for m in messages), fields=fields)
    return model


def _check_parameters(parameters: Mapping[str, Any]) -> None:
    if names := not_finite(parameters):
        sentence = _(
            "A model cannot be given NaN or infinity. Give a finite number for: %(names)s."
        ) % {"names": listed_names(names)}
        raise BadInput(sentence, fields={"parameters": [sentence]})


def _check_batch(provider: str, calls_mode: str) -> None:
    if providers.get(provider).batches is None:
        sentence = _("%(name)s does not support batches.") % {"name": providers.get(provider).label}
    elif calls_mode == JudgeRun.Calls.PER_CRITERION:
        sentence = _("Batches hold one question per response, not one per line.")
    else:
        return
    raise BadInput(sentence, fields={"batch": [sentence]})


def _blank(responses: Sequence[int]) -> set[int]:
    """Return those that look empty to a reader, however long they are."""
    found: set[int] = set()
    for start in range(0, len(responses), 500):
        rows = Response.objects.filter(pk__in=responses[start : start + 500]).order_by()
        beginnings = rows.annotate(beginning=Left("text", _BEGINNING))
        doubtful = [
            pk
            for pk, words in beginnings.values_list("pk", "beginning")
            if storable.is_blank(words)
        ]
        whole = Response.objects.filter(pk__in=doubtful).order_by().values_list("pk", "text")
        found.update(pk for pk, words in whole if storable.is_blank(words))
    return found


def _item(
    run: JudgeRun,
    response: Response,
    versions: Mapping[int, RubricVersion],
    exemplars: Mapping[int, int | str],
    relatives: set[int],
    blank: set[int],
) -> RunItem:
    version = versions.get(response.task_id)
    exemplar = exemplars.get(response.task_id)
    one_shot = run.method == JudgeRun.Method.ONE_SHOT
    if response.baseline:
        reason = "baseline"
    elif version is None:
        reason = "no_rubric"
    elif one_shot and not isinstance(exemplar, int):
        reason = exemplar or "no_exemplar"
    elif response.candidate_id in relatives:
        reason = "same_family"
    elif response.pk in blank:
        # An empty response is skipped, never judged unmet on every line.
        reason = "empty_response"
    else:
        reason = ""
    return RunItem(
        run=run,
        response_id=response.pk,
        version=version,
        exemplar_id=exemplar if isinstance(exemplar, int) else None,
        state=RunItem.State.SKIPPED if reason else RunItem.State.WAITING,
        reason=reason,
    )


# -- exemplars ------------------------------------------------------------------------------------


def _exemplars(
    tasks: set[int], versions: Mapping[int, RubricVersion], experts: str
) -> dict[int, int | str]:
    """Return each task's exemplar, or the code of the reason why it has none."""
    if experts and (
        storable.problem_with(experts)
        or not Sheet.objects.filter(kind=Sheet.Kind.EXPERT, rater=experts).exists()
    ):
        raise BadInput(
            _("No expert sheets were imported from a rater “%(name)s”.") % {"name": experts},
            fields={"experts": [_("Name a rater whose sheets were imported.")]},
        )
    sheets: dict[int, Sheet] = {}
    imported = Sheet.objects.filter(
        kind=Sheet.Kind.EXPERT,
        purpose=Sheet.Purpose.IMPORTED,
        state=Sheet.State.SUBMITTED,
        response__baseline=True,
        response__task__origin=Origin.EXTERNAL,
        lines__met__isnull=False,
    ).distinct()
    if experts:
        imported = imported.filter(rater=experts)
    raters: set[str] = set()
    for sheet in imported.select_related("response"):
        if sheet.response.task_id not in tasks:
            continue
        raters.add(sheet.rater)
        if sheet.response.task_id in sheets:
            raise BadInput(
                _("Several raters scored the baselines (%(names)s). Name one with --experts.")
                % {"names": get_text_list(sorted(raters | {sheets[sheet.response.task_id].rater}))},
                code="several_raters",
                fields={"experts": [_("Name one rater.")]},
            )
        sheets[sheet.response.task_id] = sheet
    anchors = Anchor.objects.filter(stage=AnchorStage.VALIDATED, sheet__isnull=False)
    for anchor in anchors.select_related("sheet"):
        if anchor.task_id in tasks and anchor.sheet is not None:
            sheets[anchor.task_id] = anchor.sheet
    pairs = {
        task: (sheet.version_id, versions[task].pk)
        for task, sheet in sheets.items()
        if task in versions
    }
    fine = fitting(pairs.values())
    return {
        task: sheets[task].pk if pair in fine else "exemplar_outdated"
        for task, pair in pairs.items()
    }

"""Plan a run: its responses, their versions and exemplars, and what is skipped and why."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text import storable
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from judge.asking import providers
from judge.asking.calls import cost
from judge.asking.calls.models import Call
from judge.asking.candidates.models import Candidate, Response
from judge.asking.endpoints import file_rules
from judge.asking.endpoints import queries as endpoints
from judge.asking.providers.base import not_finite
from judge.asking.providers.offline import DEFAULT_MODEL
from judge.base.gold_sets.task_sets import EVERY_OPEN_TASK, OPEN, TaskSet
from judge.base.queue.locks import Lock, take_lock
from judge.methods.base import registry
from judge.methods.base.method import Method
from judge.methods.evidence.sources import edition_of
from judge.methods.variants.models import JudgeVariant
from judge.runs.engine import held_out, lease
from judge.runs.engine.models import JudgeRun, RunAct, RunItem
from judge.runs.engine.planning.examples import examples_of_others, exemplars_of
from judge.runs.engine.planning.further import asked_by, checked_further, checked_search
from judge.runs.engine.planning.limits import problems_with_limits
from judge.runs.engine.planning.skipping import Skips
from rubrics.versions.models import RubricVersion
from rubrics.versions.queries import versions_that_count


def chosen_responses(
    task_keys: Sequence[str] | None,
    candidate_names: Sequence[str] | None,
    tasks: TaskSet,
    only: Collection[int] | None = None,
) -> list[Response]:
    """Return the chosen responses without their texts.

    Args:
        only: these responses alone, by primary key; None for all.

    Raises BadInput for unknown names, and for tasks outside of the set.
    """
    rows = Response.objects.select_related("candidate").only(
        *("id", "key", "task_id", "candidate_id", "baseline", "text_version"),
        *("candidate__name", "candidate__family"),
    )
    fields: dict[str, list[str]] = {}
    for field, names, model, attribute, path, sentence in (
        ("tasks", task_keys, Task, "key", "task__key", _unknown_tasks),
        ("candidates", candidate_names, Candidate, "name", "candidate__name", _unknown_candidates),
    ):
        if names is None:
            continue
        known: set[str] = set()
        ids: list[str] = list(dict.fromkeys(names))
        for start in range(0, len(ids), 500):
            part = {f"{attribute}__in": ids[start : start + 500]}
            known.update(model._default_manager.filter(**part).values_list(attribute, flat=True))
        missing = [name for name in ids if name not in known]
        if missing or not ids:
            fields[field] = [sentence(missing)]
        rows = rows.filter(**{f"{path}__in": ids})
    if fields:
        raise BadInput(" ".join(m for messages in fields.values() for m in messages), fields=fields)
    chosen = [row for row in tasks.within(rows) if only is None or row.pk in only]
    _check_inside(task_keys, tasks)
    if not chosen and tasks.fixed and task_keys is None:
        raise BadInput(
            _("There is no response to judge in %(set)s. Order answers for it first.")
            % {"set": tasks.label},
            code="no_responses",
        )
    if not chosen:
        raise BadInput(
            _("There is no response to judge here. Import some first: manage.py import_responses"),
            code="no_responses",
        )
    return chosen


def _check_inside(task_keys: Sequence[str] | None, tasks: TaskSet) -> None:
    """Refuse keys of tasks that the set does not hold. Raises BadInput."""
    keys = list(dict.fromkeys(task_keys or ()))
    inside: set[str] = set()
    for start in range(0, len(keys), 500):
        part = Task.objects.filter(key__in=keys[start : start + 500])
        inside.update(tasks.within(part, "pk").values_list("key", flat=True))
    outside = [key for key in keys if key not in inside]
    if not outside:
        return
    if tasks.kind == OPEN:
        detail = _(
            "Held out: %(names)s. Leave them out, or choose a set that holds them and say why."
        ) % {"names": listed_names(outside)}
    else:
        detail = _("Not in %(set)s: %(names)s.") % {
            "set": tasks.label,
            "names": listed_names(outside),
        }
    raise BadInput(detail, code="outside_of_the_set", fields={"tasks": [detail]})


def _unknown_tasks(missing: list[str]) -> str:
    if not missing:
        return _("Name at least one task.")
    return ngettext(
        "There is no task %(names)s.", "There are no tasks %(names)s.", len(missing)
    ) % {"names": listed_names(missing)}


def _unknown_candidates(missing: list[str]) -> str:
    if not missing:
        return _("Name at least one candidate.")
    return ngettext(
        "There is no candidate %(names)s.", "There are no candidates %(names)s.", len(missing)
    ) % {"names": listed_names(missing)}


def listed_names(names: list[str]) -> str:
    shown = [f"“{name}”" for name in names[:10]]
    if len(names) > 10:
        shown.append(_("%(n)s more") % {"n": len(names) - 10})
    return get_text_list(shown, _("and"))


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
    variant: JudgeVariant | None = None,
    responses: Collection[int] | None = None,
    hold: str = "",
    tasks: TaskSet = EVERY_OPEN_TASK,
    held_out_reason: str = "",
    further: Mapping[str, tuple[str, str]] | None = None,
    further_parameters: Mapping[str, Mapping[str, Any]] | None = None,
    search: str = "",
    for_experiment: bool = False,
) -> JudgeRun:
    """Create a run with one item per response; nothing is asked yet.

    Args:
        model: may be empty for the offline rules.
        parameters: further settings of the request, by our names; finite numbers. None takes
            those that staff have set for judging with this model.
        budget_micro: at most this many millionths of a dollar; needs a known price.
        max_calls: at most this many calls, failed ones included.
        experts: whose imported sheets are the exemplars, where several raters scored a baseline.
        task_keys, candidates: only these keys and names; None means all.
        allow_same_family: judge candidates of the judge's own family, too.
        batch: send first questions in the provider's batches: half the price, within a day.
        repeat: which repetition of the configuration it is; each asks again.
        variant: the configuration it is planned with; `JudgeVariant.settings` gives the others.
        responses: only these responses, by primary key; None means all.
        hold: a lease token; the run is created as claimed with it, so no other worker takes it.
        tasks: the set of tasks that is judged; `task_keys` narrow it further.
        held_out_reason: why held-out tasks are judged; needed if there are some.
        further: models in further roles of the method, role -> (provider, model); a role that is
            not named is the judge's own.
        further_parameters: of these models, as `parameters`; role -> parameters.
        search: where claims are looked up, for a method that does.
        for_experiment: it compares two variants on a few responses; pages show another run first.

    Raises:
        BadInput: the run cannot be made; nothing is created.
    """
    model = _check(method, provider, model, calls_mode, concurrency, budget_micro, max_calls)
    how = registry.get(method)
    if variant is not None and not how.variants:
        sentence = _("Variants of the judge are for methods that judge line by line.")
        raise BadInput(sentence, fields={"method": [sentence]})
    if parameters is None:
        parameters = endpoints.parameters_for(provider, model, Call.Purpose.JUDGE)
    parameters = dict(parameters)
    _check_parameters(parameters)
    further_models = checked_further(
        how, further or {}, further_parameters or {}, with_budget=budget_micro is not None
    )
    search = checked_search(how, search)
    if batch:
        _check_batch(provider, calls_mode, how)
    chosen = chosen_responses(task_keys, candidates, tasks, only=responses)
    judged = {response.task_id for response in chosen}
    versions = versions_that_count(judged)
    exemplars: Mapping[int, int | str] = {}
    if variant is not None and variant.example == JudgeVariant.Example.OTHER:
        exemplars = examples_of_others(judged)
    elif how.needs_example:
        exemplars = exemplars_of(judged, versions, experts)
    asked = asked_by(how, provider, model, further_models)
    houses = set[str]()
    if not allow_same_family:
        houses = {endpoints.house_of(*pair).casefold() for pair in asked.values()}
    skips = Skips.of(
        chosen,
        readers={pair for role, pair in asked.items() if role not in how.sees_no_files},
        houses=houses,
        method=how,
        versions=versions,
    )
    if judged and all(skips.unfit.get(task) == registry.WRONG_FORM for task in judged):
        raise BadInput(
            _("“%(method)s” judges none of these tasks: their answers have another form.")
            % {"method": how.label},
            code="method_does_not_fit",
            fields={"method": [_("Choose a method for this form of answer.")]},
        )
    if sentence := file_rules.why_wait(skips.unreadable):
        raise BadInput(sentence, code="files_waiting", fields={"tasks": [sentence]})
    with transaction.atomic():
        take_lock(Lock.SPLIT, shared=True)  # no split may pass between the check and the run
        look = held_out.checked_reason(judged, held_out_reason)
        run = JudgeRun.objects.create(
            method=method,
            provider=provider,
            model=model,
            parameters=parameters,
            setup=endpoints.setup_of(provider, model),
            further_models=further_models,
            further_setup={
                role: endpoints.setup_of(asked["provider"], asked["model"])
                for role, asked in further_models.items()
            },
            search=search,
            search_sha256=edition_of(search),
            calls_mode=calls_mode,
            experts=experts,
            concurrency=concurrency,
            budget_micro=budget_micro,
            max_calls=max_calls,
            allow_same_family=allow_same_family,
            batch=batch,
            repeat=repeat,
            variant=variant,
            for_experiment=for_experiment,
            task_set=str(tasks),
            created_by=actor,
        )
        RunAct.objects.create(run=run, kind=RunAct.Kind.PLANNED, actor=actor)
        if look:
            held_out.record_look(run, look, actor)
        if hold:
            lease.claim_run(run.pk, hold, states=(JudgeRun.State.WAITING,))
            run.refresh_from_db()
        RunItem.objects.bulk_create(
            [
                _item(run, response, versions, exemplars, skips)
                for response in sorted(chosen, key=lambda r: (r.task_id, r.pk))
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
    if method not in registry.METHODS:
        fields["method"] = [
            _("Choose a method: %(known)s.") % {"known": ", ".join(registry.METHODS)}
        ]
    elif calls_mode == JudgeRun.Calls.PER_CRITERION and not registry.get(method).per_line:
        fields["calls"] = [
            _("“%(method)s” asks once for each response, not line by line.")
            % {"method": registry.label_of(method)}
        ]
    if calls_mode not in JudgeRun.Calls.values:
        fields["calls"] = [_("Choose per_response or per_criterion.")]
    fields |= problems_with_limits(
        concurrency=concurrency, budget_micro=budget_micro, max_calls=max_calls
    )
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
        if problem := endpoints.why_it_cannot_answer(provider):
            fields["provider"] = [problem]
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


def _check_batch(provider: str, calls_mode: str, how: Method) -> None:
    if providers.get(provider).batches is None:
        sentence = _("%(name)s does not support batches.") % {"name": providers.get(provider).label}
    elif calls_mode == JudgeRun.Calls.PER_CRITERION:
        sentence = _("Batches hold one question per response, not one per line.")
    elif how.one_call_per_part or how.further_roles:
        sentence = _("“%(method)s” asks several questions about a response; batches hold one.") % {
            "method": how.label
        }
    else:
        return
    raise BadInput(sentence, fields={"batch": [sentence]})


def _item(
    run: JudgeRun,
    response: Response,
    versions: Mapping[int, RubricVersion],
    exemplars: Mapping[int, int | str],
    skips: Skips,
) -> RunItem:
    version = versions.get(response.task_id)
    exemplar = exemplars.get(response.task_id)
    missing = ""
    if registry.get(run.method).needs_example and not isinstance(exemplar, int):
        missing = exemplar or "no_exemplar"
    reason = skips.reason(response, version, missing)
    return RunItem(
        run=run,
        response_id=response.pk,
        version=version,
        exemplar_id=exemplar if isinstance(exemplar, int) else None,
        state=RunItem.State.SKIPPED if reason else RunItem.State.WAITING,
        reason=reason,
    )

"""Staff's actions on candidates and on orders of their answers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, F, Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.text.wording import listed
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import ANSWERABLE, Origin, Task
from judge.asking import providers
from judge.asking.calls import cost
from judge.asking.calls.cost import MILLION
from judge.asking.calls.models import Call
from judge.asking.candidates import families, ledger
from judge.asking.candidates.generation_models import MOST_SAMPLES, Generation, GenerationItem
from judge.asking.candidates.models import MOST_ANSWERS, Candidate, CandidateEvent, Response
from judge.asking.endpoints import file_rules
from judge.asking.endpoints import queries as endpoints
from judge.asking.providers.vendor import family_of
from judge.base.gold_sets.task_sets import EVERY_TASK, TaskSet
from judge.base.queue.send import send

FIELDS = (
    "name", "version", "kind", "family", "licence", "tools", "provider", "model", "price",
    "released_on", "retired_on", "note",
)  # fmt: skip
_LINES = ("name", "version", "family", "tools", "model")  # one visible line each
MOST_ITEMS = 20_000
State, ItemState = Generation.State, GenerationItem.State


@action("staff.scoring")
@transaction.atomic
def add_candidate(*, actor: Any, **values: Any) -> Candidate:
    """Enter a candidate. Its family is read from its name if none is given.

    Raises:
        BadInput: invalid values, named in `fields`.
    """
    values = _checked(values)
    if not values.get("family"):
        values["family"] = endpoints.house_entered(
            values["provider"], values["model"]
        ) or family_of(values["name"], values["provider"])
    try:
        with transaction.atomic():
            made = Candidate.objects.create(**values)
    except IntegrityError:
        raise _taken() from None
    changes = {name: [None, _plain(values[name])] for name in FIELDS if values.get(name)}
    CandidateEvent.objects.create(candidate=made, actor=actor, changes=changes)
    return made


@action("staff.scoring")
@transaction.atomic
def change_candidate(
    *, actor: Any, candidate: Candidate, revision: int | None = None, **values: Any
) -> Candidate:
    """Change the facts about a candidate; the old values stay in its history.

    Args:
        revision: the revision that was read; None to overwrite any.

    Raises:
        BadInput: invalid values, named in `fields`.
        Conflict: `changed_meanwhile`, somebody else changed the candidate.
    """
    now = Candidate.objects.select_for_update().get(pk=candidate.pk)
    if revision is not None and revision != now.revision:
        raise Conflict(
            _("Somebody changed this candidate since you opened it, so nothing was stored."),
            code="changed_meanwhile",
        )
    values = _checked({name: getattr(now, name) for name in FIELDS} | values)
    same = Candidate.objects.filter(product=now.product_id, version=values["version"])
    if now.product_id is not None and same.exclude(pk=now.pk).exists():
        raise BadInput(fields={"version": [_("This product has a version of this name already.")]})
    changes = {
        name: [_plain(getattr(now, name)), _plain(values[name])]
        for name in FIELDS
        if getattr(now, name) != values[name]
    }
    if not changes:
        return now
    try:
        with transaction.atomic():
            Candidate.objects.filter(pk=now.pk).update(revision=F("revision") + 1, **values)
    except IntegrityError:
        raise _taken() from None
    CandidateEvent.objects.create(candidate=now, actor=actor, changes=changes)
    now.refresh_from_db()
    return now


@action("staff.scoring")
def retire_candidate(*, actor: Any, candidate: Candidate, on: date | None = None) -> Candidate:
    """Mark a candidate as no longer offered; its responses and scores stay.

    Raises:
        BadInput: the date lies before its release.
        Conflict: `wrong_stage`, it is retired already.
    """
    if candidate.retired_on is not None:
        raise Conflict(_("This candidate is retired already."), code="wrong_stage")
    return change_candidate(actor=actor, candidate=candidate, retired_on=on or timezone.localdate())


def _checked(values: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, list[str]] = {}
    for name in ("name", "version", "family", "tools", "provider", "model", "price", "note"):
        given = str(values.get(name) or "")
        problem = storable.problem_with(given, limit=5000 if name == "note" else 200)
        if problem:
            fields[name] = [problem]
        values[name] = given.strip()
        if values[name] and name in _LINES and not problem:
            # One visible line, as in imported files: tables show it and commands take it.
            problem = storable.problem_with_name(values[name], limit=200)
            if problem:
                fields[name] = [problem]
    if not values["name"]:
        fields["name"] = [_("Type the candidate's name exactly as its responses spell it.")]
    if values.get("kind", Candidate.Kind.MODEL) not in Candidate.Kind.values:
        fields["kind"] = [_("Choose: a model, or an agent product.")]
    values["licence"] = values.get("licence") or ""
    if values["licence"] not in ("", *Candidate.Licence.values):
        fields["licence"] = [_("Choose: proprietary, open weights, or open source.")]
    if values["provider"] and values["provider"] not in providers.labels():
        fields["provider"] = [
            _("Available: %(known)s.") % {"known": ", ".join(sorted(providers.names()))}
        ]
    if bool(values["provider"]) != bool(values["model"]):
        fields.setdefault(
            "model" if values["provider"] else "provider",
            [_("To be asked here, a candidate needs both a provider and a model.")],
        )
    released, retired = values.get("released_on"), values.get("retired_on")
    if released and retired and retired < released:
        fields["retired_on"] = [_("That is before its release.")]
    if fields:
        raise BadInput(fields=fields)
    return values


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _taken() -> BadInput:
    return BadInput(fields={"name": [_("There is already a candidate with this name.")]})


# -- answers ---------------------------------------------------------------------------------------
def tasks_to_answer(domains: Sequence[str] = ()) -> Any:
    """Select the tasks a candidate can be asked: approved ones and those of other benchmarks."""
    rows = Task.objects.filter(
        Q(stage=Stage.APPROVED) | Q(origin=Origin.EXTERNAL), origin__in=ANSWERABLE
    )
    return rows.filter(domain__key__in=domains) if domains else rows


def why_not_asked(candidate: Candidate) -> str:
    """Return why a candidate cannot be asked for answers; "" if it can."""
    if candidate.retired_on and candidate.retired_on <= timezone.localdate():
        return _("%(name)s is retired, so it is no longer asked.") % {"name": candidate.name}
    if not candidate.provider:
        return _(
            "No model is set for %(name)s. Enter its provider and model; until then, import its "
            "responses."
        ) % {"name": candidate.name}
    return endpoints.why_it_cannot_answer(candidate.provider)


@action("staff.scoring")
@transaction.atomic
def order_responses(
    *,
    actor: Any,
    candidate: Candidate,
    samples: int = 1,
    domains: Sequence[str] = (),
    budget_micro: int | None = None,
    max_calls: int | None = None,
    concurrency: int = 4,
    tasks: TaskSet = EVERY_TASK,
) -> Generation:
    """Have a candidate answer every task of these domains `samples` times, in the background.

    Tasks whose files its model cannot read are not asked: their answers are failed from the start,
    with the reason.

    Args:
        tasks: the set of tasks that is answered, held-out ones included: no judge sees an answer
            before a run asks it.

    Raises:
        BadInput: there is nothing to ask, the candidate cannot be asked, or a limit cannot be kept.
    """
    fields: dict[str, list[str]] = {}
    if problem := why_not_asked(candidate):
        fields["candidate"] = [problem]
    if not 1 <= samples <= MOST_SAMPLES:
        fields["samples"] = [_("Ask one to twenty times.")]
    if not 1 <= concurrency <= 32:
        fields["concurrency"] = [_("Ask one to 32 at once.")]
    wanted = tasks.within(tasks_to_answer(domains), "pk")
    keys = list(wanted.order_by("key").values_list("pk", flat=True))
    if not keys:
        fields["domains"] = [_("There is no approved task to answer.")]
    if len(keys) * samples > MOST_ITEMS:
        fields["samples"] = [_("That is more than 20,000 answers. Ask for fewer.")]
    skipped = file_rules.skipped_tasks(keys, candidate.provider, candidate.model)
    if sentence := file_rules.why_wait(skipped):
        fields["domains"] = [sentence]
    elif keys and len(skipped) == len(keys):
        reasons = {str(file_rules.SKIPPED[code]) for code in skipped.values()}
        fields["domains"] = [
            _("None of these tasks can be asked: %(why)s.") % {"why": listed(sorted(reasons))}
        ]
    if not fields and (crowded := _task_without_room(candidate, keys, samples)):
        fields["samples"] = [families.no_sample_left(crowded)]
    if fields:
        raise BadInput(fields=fields)
    if budget_micro is not None:
        _check_price(candidate.provider, candidate.model)
    made = Generation.objects.create(
        candidate=candidate,
        provider=candidate.provider,
        model=candidate.model,
        parameters=endpoints.parameters_for(
            candidate.provider, candidate.model, Call.Purpose.ANSWER
        ),
        setup=endpoints.setup_of(candidate.provider, candidate.model),
        task_set=str(tasks),
        samples=samples,
        concurrency=concurrency,
        budget_micro=budget_micro,
        max_calls=max_calls,
        created_by=actor,
    )
    GenerationItem.objects.bulk_create(
        [
            GenerationItem(
                generation=made,
                task_id=task,
                number=number,
                state=ItemState.FAILED if task in skipped else ItemState.WAITING,
                problem=file_rules.IN_ENGLISH[skipped[task]] if task in skipped else "",
            )
            for task in keys
            for number in range(1, samples + 1)
        ],
        batch_size=500,
    )
    transaction.on_commit(partial(send, "generate_responses", made.pk))
    return made


def _task_without_room(candidate: Candidate, tasks: Sequence[int], samples: int) -> str:
    """Return the key of a task with no numbers left for these answers; "" if all have room.

    Answers that open orders still wait for count as given.
    """
    rows = Response.objects.filter(candidate=candidate).order_by().values_list("task")
    taken = Counter(dict(rows.annotate(last=Max("sample"))))
    open_ = GenerationItem.objects.filter(
        generation__candidate=candidate,
        generation__state__in=(State.WAITING, State.PAUSED),
        state=GenerationItem.State.WAITING,
    )
    taken.update(dict(open_.order_by().values_list("task").annotate(n=Count("id"))))
    crowded = next((task for task in tasks if taken[task] + samples > MOST_ANSWERS), None)
    return "" if crowded is None else Task.objects.values_list("key", flat=True).get(pk=crowded)


def _check_price(provider: str, model: str) -> None:
    if cost.rates_for(provider, model) is None:
        raise BadInput(
            fields={
                "budget_usd": [
                    _(
                        "The price of this model is unknown, so a budget in money cannot be kept. "
                        "Enter its price (under Runs, or manage.py set_price), or limit the calls "
                        "instead."
                    )
                ]
            }
        )


@action("staff.scoring")
@transaction.atomic
def control_generation(
    *, actor: Any, generation: Generation, step: str, limits: Mapping[str, int | None] | None = None
) -> Generation:
    """Pause, resume or cancel an order; resuming asks failed answers once more.

    Args:
        step: "pause", "resume" or "cancel".
        limits: new `budget_micro` and `max_calls` of a resumed order.

    Raises:
        BadInput: a budget in money although the price is unknown, or a limit that leaves no room
            for another answer.
        Conflict: `wrong_stage`, the order's state does not allow the step.
    """
    if (limits or {}).get("budget_micro") is not None:
        _check_price(generation.provider, generation.model)
    if step == "resume":
        _refuse_used_up_limits(Generation.objects.get(pk=generation.pk), limits or {})
    after = {"pause": State.PAUSED, "resume": State.WAITING, "cancel": State.CANCELLED}[step]
    who = {"by": actor.pk, "step": step, "at": timezone.now().isoformat()}
    values: dict[str, Any] = {
        "reason": "",
        "facts": {"steps": [*generation.facts.get("steps", []), who]},
        "ended_at": timezone.now() if step == "cancel" else None,
    }
    mine = Generation.objects.filter(pk=generation.pk)
    changed = move(mine, after, **values, **(limits or {}))
    if not changed:
        generation.refresh_from_db()
        raise Conflict(
            _("Order %(n)s is at “%(state)s” now, so nothing was changed.")
            % {"n": generation.pk, "state": generation.get_state_display()},
            code="wrong_stage",
        )
    if step == "resume":
        items, now = GenerationItem.objects.filter(generation=generation), timezone.now()
        move(items, GenerationItem.State.WAITING, attempts=0, not_before=now)
        GenerationItem.objects.filter(
            generation=generation,
            state=GenerationItem.State.WAITING,
            reserved_micro__isnull=True,  # an open attempt is closed by its number
        ).update(not_before=timezone.now(), attempts=0)
        transaction.on_commit(partial(send, "generate_responses", generation.pk))
    generation.refresh_from_db()
    return generation


def _refuse_used_up_limits(order: Generation, limits: Mapping[str, int | None]) -> None:
    """Raise BadInput if an order would stop again before its next answer."""
    if order.state not in (State.PAUSED, State.FINISHED):
        return  # it cannot be resumed at all: `move` refuses that
    fields: dict[str, list[str]] = {}
    calls = limits.get("max_calls", order.max_calls)
    if calls is not None and calls <= order.calls:
        fields["max_calls"] = [
            ngettext(
                "%(n)s call was made already, and the limit counts it. Allow more calls.",
                "%(n)s calls were made already, and the limit counts them. Allow more calls.",
                order.calls,
            )
            % {"n": f"{order.calls:,}"}
        ]
    money = limits.get("budget_micro", order.budget_micro)
    needed = None if money is None else ledger.least_budget(order, money)
    if needed is not None:
        fields["budget_usd"] = [
            _(
                "This leaves no room for another answer. $%(spent)s is spent; the next answer "
                "needs a budget of $%(needed)s."
            )
            % {
                "spent": f"{order.spent_micro / MILLION:,.2f}",
                "needed": f"{-(-needed * 100 // MILLION) / 100:,.2f}",
            }
        ]
    if fields:
        raise BadInput(fields=fields)

"""What a run will cost: calls, tokens and money, before it is started or continued."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from judge.asking import providers
from judge.asking.calls.cost import Rates, all_schedules, prompt_tokens, tokens_of
from judge.methods.base import registry
from judge.methods.base.material import Material
from judge.methods.base.values import Expected
from judge.runs.engine.asking import asks_one_by_one
from judge.runs.engine.batches.batches import SLACK
from judge.runs.engine.models import JudgeRun, Judgment, RunItem
from judge.runs.engine.planning.material import load
from judge.runs.engine.roles import models_of


@dataclass(frozen=True)
class Estimate:
    """What a run still has to ask if nothing is reused.

    `cost_micro` is None if it is unknown, with the reason in `why`. `known` counts the responses
    judged before in the same way. `least_micro` and `most_micro` bound the cost of one call.
    """

    responses: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_micro: int | None
    why: str = ""
    known: int = 0
    least_micro: int = 0
    most_micro: int = 0


def estimate_of(run: JudgeRun, *, again: bool = False) -> Estimate:
    """Estimate calls, tokens and cost of a run if nothing fails and nothing is cached.

    Tokens are guessed generously from the length of the texts, those of a reply as its method
    expects (80 for each line). Where a method asks about each part by itself, the longest of these
    prompts stands for all of them. What a method decides without a call is not counted. Responses
    judged before under the same configuration will cost nothing.

    Args:
        again: count failed responses, too, as a continued run asks them once more.
    """
    asked = models_of(run)
    schedules, now = all_schedules({model.pair for model in asked.values()}), timezone.now()
    rates = {role: schedules[model.pair].at(now) for role, model in asked.items()}
    one_by_one = asks_one_by_one(run)
    responses = 0
    totals: dict[str, list[int]] = {}  # role -> calls, tokens in, tokens out
    known: dict[tuple[int, int | None, int | None], tuple[int, Material]] = {}
    bounds: list[int] = []  # the most a call about each response may cost
    states = [RunItem.State.WAITING, *([RunItem.State.FAILED] if again else [])]
    items = RunItem.objects.filter(run=run, state__in=states)
    rows = items.select_related("response", "version", "run__variant__prompt").order_by(
        "response__task_id", "pk"
    )
    for item in rows.iterator(chunk_size=200):
        name = (item.response.task_id, item.version_id, item.exemplar_id)
        if name not in known:
            known = {name: _prompt_size(run, item)}  # items come task by task: keep one
        prefix, material = known[name]
        responses += 1
        about = material.method.about(material, item.response.text)
        given = about.method.decided(about, item.response.text)
        decided = {*given.lines, *given.findings} if given else set()
        left = [part for part in about.parts if part not in decided]
        if not left:
            continue
        size = prefix + tokens_of(item.response.text)
        if about.method.one_call_per_part:
            size = _dearest_part(run, about, item.response.text, left)
        reply = about.method.reply_tokens(about, 1 if one_by_one else len(left))
        calls = len(left) if one_by_one else 1
        first = Expected(about.method.role_of(left[0]), calls, 0, reply)
        for more in (first, *about.method.expected(about)):
            total = totals.setdefault(more.role, [0, 0, 0])
            sent = more.input_tokens + (size if more.repeats else 0)
            total[0] += more.calls
            total[1] += more.calls * sent
            total[2] += more.calls * more.output_tokens
            if price := rates[more.role]:
                bounds.append(price.bound(sent, SLACK * more.output_tokens, batch=run.batch))
    cost, why = _cost_of(run, totals, rates)
    return Estimate(
        responses,
        sum(calls for calls, _sent, _written in totals.values()),
        sum(sent for _calls, sent, _written in totals.values()),
        sum(written for _calls, _sent, written in totals.values()),
        cost,
        why,
        _judged_before(run),
        least_micro=min(bounds, default=0),
        most_micro=max(bounds, default=0),
    )


def _cost_of(
    run: JudgeRun, totals: Mapping[str, Sequence[int]], rates: Mapping[str, Rates | None]
) -> tuple[int | None, str]:
    """Return the cost of what roles are asked, or None with the reason."""
    cost = 0
    for role, model in models_of(run).items():
        price = rates[role]
        if price is None:
            return None, _("The price of %(provider)s %(model)s is not known.") % {
                "provider": providers.label_of(model.provider),
                "model": model.model,
            }
        _calls, sent, written = totals.get(role, (0, 0, 0))
        cost += price.bound(sent, written, batch=run.batch)
    return cost, ""


def _judged_before(run: JudgeRun) -> int:
    """Count the waiting responses that were judged before in the same way. One query.

    No prompt is built, so changes of the task or the example since then go unnoticed.
    """
    before = Judgment.objects.filter(
        Q(version=OuterRef("version")) | Q(version__isnull=True),  # no rubric equals none
        response=OuterRef("response"),
        state=Judgment.State.COMPLETE,
        method=run.method,
        provider=run.provider,
        model=run.model,
        run__calls_mode=run.calls_mode,
        run__repeat=run.repeat,
        run__parameters=run.parameters,
        run__further_models=run.further_models,
        run__search_sha256=run.search_sha256,
        run__variant__prompt=run.variant.prompt if run.variant else None,
    )
    if registry.get(run.method).needs_example:
        before = before.filter(exemplar=OuterRef("exemplar"))
    waiting = RunItem.objects.filter(run=run, state=RunItem.State.WAITING)
    return waiting.filter(Exists(before)).count()


def _prompt_size(run: JudgeRun, item: RunItem) -> tuple[int, Material]:
    """Return the tokens of a prompt without its response, and what it is made of."""
    material = load(item)
    prompt = material.prompt("", nonce="0" * 24)
    return prompt_tokens(prompt, run.parameters), material


def _dearest_part(run: JudgeRun, about: Material, text: str, parts: Sequence[str]) -> int:
    """Return the tokens of the longest prompt about one part, where each is asked by itself."""
    prompts = [about.prompt(text, only_ids=(part,), nonce="0" * 24) for part in parts]
    return max(prompt_tokens(prompt, run.parameters) for prompt in prompts)

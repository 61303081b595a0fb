"""Products with versions, three periods, their answers, and what operators collect by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from config.sample.products import People, first_of_month, month, read_file
from config.sample.products.answers import compose
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate, Response
from judge.base.gold_sets.task_sets import EVERY_OPEN_TASK
from judge.base.products import EvaluationPeriod
from judge.results.product_index.actions import add_period, add_product, put_version
from judge.results.product_index.collecting import CollectionCell, CollectionOrder
from judge.results.product_index.collecting_actions import (
    make_order,
    skip_cell,
    store_answer,
    take_next,
)
from judge.results.registry.actions import add_candidate

MONTHS_BACK = (4, 2, 0)  # of the three periods
COLLECTED = 3  # answers that the operator has pasted already; one more is skipped
ORDER_NOTE = "Ask with a new chat for every task. Switch off memory; search stays on."
ACCOUNT = "sample account 2"


@dataclass(frozen=True)
class Version:
    """A version of a product with its skill in each period, None where it is not measured."""

    candidate: Candidate
    product: Mapping[str, Any]
    row: Mapping[str, Any]

    def answer(self, slug: str, task: Mapping[str, Any], skill: float) -> str:
        """Return what this version answers."""
        name, language = self.product["name"], task["language"]
        skill += self.product.get("lean", {}).get(language, 0)
        return compose(task, slug, name, self.product["voice"][language], skill)


def load_products(staff: Any) -> tuple[list[Version], list[EvaluationPeriod]]:
    """Enter products, versions and periods."""
    periods = []
    for back in MONTHS_BACK:
        key, first, last = month(back)
        periods.append(add_period(actor=staff, key=key, starts_on=first, ends_on=last))
    versions = []
    for product in read_file("products.json")["products"]:
        made = add_product(
            actor=staff, name=product["name"], house=product["house"], note=product["note"]
        )
        for row in product["versions"]:
            candidate = add_candidate(
                actor=staff,
                name=f"{product['name']} {row['version']}",
                kind=Candidate.Kind.PRODUCT,
                family=product["house"],
            )
            put_version(
                actor=staff,
                product=made,
                candidate=candidate,
                version=row["version"],
                released_on=first_of_month(-row["released"]),
                retired_on=first_of_month(-row["retired"]) if "retired" in row else None,
            )
            candidate.refresh_from_db()
            versions.append(Version(candidate, product, row))
    return versions, periods


def load_responses(
    tasks: Mapping[str, tuple[Task, Mapping[str, Any]]],
    versions: list[Version],
    periods: list[EvaluationPeriod],
) -> None:
    """Store the answers as imported, each in its period."""
    rows = []
    for number, period in enumerate(periods):
        for version in versions:
            skill = version.row.get("skill", [None] * len(periods))[number]
            if skill is None:
                continue
            for slug, (task, data) in tasks.items():
                if data.get("later") and number == 0:
                    continue  # the task was not there yet
                rows.append(_response(version, task, slug, data, period, number, skill))
    Response.objects.bulk_create(rows, batch_size=200)


def _response(
    version: Version,
    task: Task,
    slug: str,
    data: Mapping[str, Any],
    period: EvaluationPeriod,
    number: int,
    skill: float,
) -> Response:
    return Response(
        key=f"{version.candidate.name}/{period.key}/{task.key}",
        task=task,
        candidate=version.candidate,
        sample=number + 1,
        text=version.answer(slug, data, skill),
        source=Response.Source.IMPORTED,
        period=period,
        text_version=task.version,
        created_at=_noon(period),
    )


def _noon(period: EvaluationPeriod) -> datetime:
    """Return noon of the period's third day, or now if that is still to come."""
    day = timezone.make_aware(
        datetime.combine(period.starts_on + timedelta(days=2), datetime.min.time())
    )
    return min(day + timedelta(hours=12), timezone.now())


def collect_by_hand(
    people: People,
    tasks: Mapping[str, tuple[Task, Mapping[str, Any]]],
    version: Version,
    period: EvaluationPeriod,
) -> CollectionOrder:
    """Order the answers of a version without an interface; the operator stores some of them."""
    by_key = {task.key: (slug, data) for slug, (task, data) in tasks.items()}
    order = make_order(
        actor=people["staff"],
        period=period,
        candidates=[version.candidate],
        tasks=EVERY_OPEN_TASK,
        domains=sorted({task.domain.key for task, _data in tasks.values()}),
        note=ORDER_NOTE,
    )
    operator = people["operator"]
    for _n in range(COLLECTED):
        cell = take_next(actor=operator)
        task = cell.task
        slug, data = by_key[task.key]
        store_answer(
            actor=operator,
            cell=cell,
            text=version.answer(slug, data, version.row["by_hand"]),
            tools_off="memory",
            asked_on=timezone.localdate(),
            account=ACCOUNT,
            text_version=task.version,
        )
    skip_cell(
        actor=operator,
        cell=take_next(actor=operator),
        reason=CollectionCell.Reason.REFUSED,
        remark="It says that it does not assess whether contracts were kept.",
    )
    return order

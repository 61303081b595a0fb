"""Judge runs, prices, demand, graded sheets, and a release in two halves with its edition."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.utils import timezone

from config.sample.products import People, read_file
from config.sample.products.products import Version
from config.sample.results import judge
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.base.gold_sets.halves import split_in_halves
from judge.base.gold_sets.models import GoldRelease
from judge.gold.releases.draw import DrawSpec
from judge.gold.releases.edition_actions import publish_edition, quarter_of
from judge.gold.releases.errata import Erratum, report_erratum
from judge.gold.releases.release import release_gold
from judge.results.market_fit.actions import set_demand, set_task_price
from judge.scoring.graded_sheets.actions import (
    assign_graded_sheets,
    keep_grade,
    submit_graded_sheet,
)
from judge.scoring.graded_sheets.models import GradedSheet

# The last one is the newest, so pages begin with it: it judges all forms but selections.
METHODS = ("exact", "conditions", "questions", "list_match", "graded")
SEED = 20261125
HELD_OUT = 20  # percent of the tasks of each domain
GRADED_TASK = "marketing-campaign-figures"
ERRATUM = (
    "The answer counts the roaster's brand search as “people who search for the name anyway”. The "
    "materials do not say so; one line of the rubric should not need it."
)


def judge_all(staff: Any, tasks: Mapping[str, Task]) -> None:
    """Run every method over the answers that it fits, by the offline rules."""
    keys = [task.key for task in tasks.values()]
    for method in METHODS:
        judge(staff, method, keys)


def enter_market(staff: Any, domains: Mapping[str, Domain], versions: Sequence[Version]) -> None:
    """Enter prices per task and what the market of each domain pays."""
    file = read_file("products.json")
    for version in versions:
        for key, usd in version.row.get("price", {}).items():
            set_task_price(
                actor=staff,
                candidate=version.candidate,
                domain=domains[key],
                usd=Decimal(usd),
                source=file["price_source"],
                since=version.candidate.released_on,
            )
    for key, row in file["demand"].items():
        set_demand(
            actor=staff,
            domain=domains[key],
            points=[(Decimal(score), Decimal(usd)) for score, usd in row["points"]],
            human_score=Decimal(row["human_score"]),
            source=row["source"],
        )


def grade_by_experts(people: People, task: Task, graders: Sequence[User]) -> None:
    """Have three experts grade two answers; the last of the six sheets is still open."""
    newest = Response.objects.filter(task=task, period__isnull=False).order_by(
        "-period__starts_on", "candidate__name"
    )
    responses = list(newest[:2])
    assign_graded_sheets(actor=people["staff"], wanted=dict.fromkeys(graders, responses))
    said = read_file("grades.json")
    sheets = GradedSheet.objects.filter(response__in=responses, user__in=graders)
    for sheet in sheets.order_by("pk").select_related("response__task", "user"):
        place = responses.index(sheet.response), graders.index(sheet.user)
        row = said[place[0]][place[1]]
        step = keep_grade if place == (1, len(graders) - 1) else submit_graded_sheet
        step(
            actor=sheet.user,
            graded_sheet=sheet,
            grade=None if step is keep_grade else row["grade"],
            analysis=row["analysis"],
        )


def publish(people: People, tasks: Mapping[str, Task], domains: Mapping[str, Domain]) -> None:
    """Freeze the approved tasks, hold a part of them out, publish an edition, take a report."""
    staff = people["staff"]
    of = [task.domain_id for task in tasks.values()]
    release = release_gold(
        actor=staff,
        spec=DrawSpec(
            size=len(of),
            seed=SEED,
            quotas={key: of.count(domain.pk) for key, domain in domains.items()},
            allow_unanchored=True,
        ),
    )
    split_in_halves(actor=staff, seed=SEED, percent=HELD_OUT, release=release)
    _publish_edition(staff, release, domains)
    report_erratum(
        actor=people["expert.brand3"],
        release=release.number,
        task=tasks[GRADED_TASK].key,
        kind=Erratum.Kind.WRONG_ANSWER,
        text=ERRATUM,
    )


def _publish_edition(staff: Any, release: GoldRelease, domains: Mapping[str, Domain]) -> None:
    year, quarter = quarter_of(timezone.localdate())
    publish_edition(
        actor=staff,
        year=year,
        quarter=quarter,
        by_domain=dict.fromkeys(domains.values(), release),
    )

"""Loads the benchmark of products after the sample programme, in the order that real work has."""

from datetime import timedelta

from django.db.models import F

from config.sample import dates, notices
from config.sample.products import People, read_tasks
from config.sample.products.products import collect_by_hand, load_products, load_responses
from config.sample.products.results import (
    GRADED_TASK,
    enter_market,
    grade_by_experts,
    judge_all,
    publish,
)
from config.sample.products.setting import load_setting
from config.sample.products.tasks import add_task, date_collection
from curation.base.process.lifecycle import Stage
from curation.joining.people import Qualification
from curation.tasks.business.reverification_actions import ask_for_due
from curation.tasks.task.models import Task
from curation.tasks.work_map.models import WorkMapChange

AGE = 150  # days since the last step of an approved task, so that all answers are younger


def load_products_benchmark(people: People) -> None:
    """Load everything. `people` are those of the sample programme; this set's join them."""
    domains = load_setting(people)
    files = read_tasks()
    made = {slug: add_task(slug, data, domains, people) for slug, data in files.items()}
    approved = {slug: task for slug, task in made.items() if task.stage == Stage.APPROVED}
    for order, task in enumerate(made.values()):
        if task.stage == Stage.APPROVED:
            dates.spread_task(task, AGE + order)
            date_collection(task, days=AGE)
        else:
            dates.spread_task(task, order)
    ask_for_due()
    tasks = {slug: (Task.objects.get(pk=task.pk), files[slug]) for slug, task in approved.items()}
    versions, periods = load_products(people["staff"])
    load_responses(tasks, versions, periods)
    by_hand = next(version for version in versions if "by_hand" in version.row)
    collect_by_hand(people, tasks, by_hand, periods[-1])
    judge_all(people["staff"], approved)
    enter_market(people["staff"], domains, versions)
    graded = approved[GRADED_TASK]
    graders = [
        people[name]
        for name in ("solver", "expert.hiring2", "expert.brand2", "expert.hiring", "expert.brand3")
        if not graded.seats.filter(user=people[name]).exists()
    ]
    grade_by_experts(people, graded, graders[2::-1])
    publish(people, approved, domains)
    before = timedelta(days=200)
    Qualification.objects.filter(domain__in=domains.values()).update(since=F("since") - before)
    WorkMapChange.objects.filter(domain__in=domains.values()).update(at=F("at") - before)
    notices.spread_notices()

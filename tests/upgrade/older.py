"""What an older database holds: each part is a generator that asks for the tables of a time.

It makes rows by today's actions, yields the migrations it wants to go back to, is given the models
as they were then, writes what a version of that time had written, yields, and checks what became
of it.
"""

from collections.abc import Generator
from typing import Any

from django.apps import apps
from django.utils import timezone

from curation.people.models import User
from curation.tasks.models import Task
from judge.candidates import families
from judge.candidates.models import Response
from judge.engine.models import JudgeRun
from judge.graded_sheets.models import GradedSheet
from judge.sheets.models import Sheet

Names = dict[str, str]
Part = Generator[Names, Any, None]
LATEST: Names = {}

# Where the squashed migrations end. What they replace came through when it was new, and does not
# change.
FIRST_STOP = {
    "curation": "0001_squashed_0043_honoraria",
    "rubrics": "0001_squashed_0014_critical_flaws",
    "review": "0001_squashed_0011_one_word_for_each_state",
    "judge": "0001_squashed_0064_imports_in_the_browser",
}
STOPS = (FIRST_STOP, LATEST)


def rows(models: Any = apps) -> dict[str, int]:
    """How many rows each table of ours holds."""
    return {
        model._meta.label: model._base_manager.count()
        for app in FIRST_STOP
        for model in models.get_app_config(app).get_models()
    }


def sheets_asked_for_by_flags(task: Task, ana: User, ben: User) -> Part:
    """Sheets that a set asked for because of a flag are linked to its item; others are not."""
    made = [
        Response.objects.create(
            key=f"{task.key}-{name}",
            task=task,
            candidate=families.candidate_named(name),
            text=f"{name} says: net debt rises. " * 5,
            source=Response.Source.IMPORTED,
            text_version=task.version,
        )
        for name in ("early", "late")
    ]
    old = yield FIRST_STOP
    by_flag, both = (
        old.get_model("judge", "Response").objects.in_bulk([r.pk for r in made]).values()
    )
    version = old.get_model("rubrics", "RubricVersion").objects.filter(task=task.pk).last()

    def drawn(*held: tuple[Any, bool]) -> tuple[Any, list[int]]:
        """A set of (response, flagged), and the ids of its items."""
        made = old.get_model("judge", "AlignmentSet").objects.create(
            seed=1, quota=1, flagged=True, domains=["mining"], candidates=["early", "late"]
        )
        items = old.get_model("judge", "AlignmentItem").objects
        given = {"set": made, "version": version, "domain": "mining"}
        return made, [items.create(response=r, flagged=f, **given).pk for r, f in held]

    def scored(response: Any, scorer: User) -> None:
        old.get_model("judge", "Sheet").objects.create(
            response=response, version=version, kind="expert", purpose="alignment",
            rater=f"expert-{scorer.pk}", user_id=scorer.pk,
        )  # fmt: skip

    first, (flagged_once, _) = drawn((by_flag, True), (both, False))
    second, (flagged_later,) = drawn((both, True))
    scored(by_flag, ana)
    scored(both, ana)
    scored(both, ben)
    _third, (flagged_again,) = drawn((by_flag, True))
    scored(by_flag, ben)
    for scorer, of_set in ((ana, first), (ben, second)):
        facts = {"response": both.key, "scorer": scorer.pk, "set": of_set.pk}
        old.get_model("curation", "TaskEvent").objects.create(
            task_id=both.task_id, data={"event": "sheet_assigned", **facts}
        )
    yield LATEST
    linked = Sheet.objects.filter(purpose="alignment").order_by("pk")
    assert list(linked.values_list("flagged_item", flat=True)) == [
        flagged_once, None, flagged_later, flagged_again
    ]  # fmt: skip
    assert not GradedSheet.objects.filter(flagged_item__isnull=False).exists()  # no set asked


def runs_that_experiments_planned() -> Part:
    """Runs of an experiment are marked; others are not."""
    old = yield FIRST_STOP
    staff = old.get_model("curation", "User").objects.create(email="s@example.test", is_staff=True)
    judge: Any = {"method": "zero_shot", "provider": "offline", "model": "rules-1"}
    apart, first, second = (
        old.get_model("judge", "JudgeRun").objects.create(**judge) for _ in range(3)
    )
    how = {"provider": "offline", "model": "rules-1", "calls_mode": "per_response", "by": staff}
    variants = [
        old.get_model("judge", "JudgeVariant").objects.create(name=name, sha256=name * 64, **how)
        for name in "ab"
    ]
    drawn = old.get_model("judge", "AlignmentSet").objects.create(
        seed=1, quota=1, domains=["mining"], candidates=["early"]
    )
    old.get_model("judge", "JudgeExperiment").objects.create(
        set=drawn, measure="cdr", question="Which is better?", by=staff,
        first=variants[0], second=variants[1], first_run=first, second_run=second,
    )  # fmt: skip
    yield LATEST
    marked = JudgeRun.objects.filter(for_experiment=True).order_by("pk")
    assert [run.pk for run in marked] == [first.pk, second.pk]
    assert not JudgeRun.objects.get(pk=apart.pk).for_experiment


def runs_whose_end_contradicts_their_state() -> Part:
    """A run that went on has no end any more, and one that is over has one."""
    old = yield FIRST_STOP
    judge: Any = {"method": "zero_shot", "provider": "offline", "model": "rules-1"}
    runs = old.get_model("judge", "JudgeRun").objects
    then = timezone.now()
    went_on = runs.create(state="waiting", finished_at=then, **judge)
    over = runs.create(state="cancelled", started_at=then, **judge)
    yield LATEST
    assert JudgeRun.objects.get(pk=went_on.pk).finished_at is None
    assert JudgeRun.objects.get(pk=over.pk).finished_at == then

"""What an older database holds: each part is a generator that asks for the tables of a time.

It makes rows by today's actions, yields the migrations it wants to go back to, is given the models
as they were then, writes what a version of that time had written, yields, and checks what became
of it.
"""

from collections.abc import Callable, Generator
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.db import connection
from django.test import Client
from django.utils import timezone

from curation.domains.models import Domain
from curation.people.models import User
from curation.tasks.models import Task
from judge.calls.models import Call
from judge.candidates import families
from judge.candidates.models import Response
from judge.engine.models import Judgment
from judge.engine.planning.plan import plan_run
from judge.engine.work import work_on_run
from judge.gold_sets.models import GoldRelease
from judge.graded_sheets.actions import assign_graded_sheet, submit_graded_sheet
from judge.graded_sheets.models import GradedSheet
from judge.prices.models import Price
from judge.sheets.models import Sheet
from rubrics.versions.models import Criterion
from tests.corrections.conftest import RIGHT, amended
from tests.judge_engine import factory
from tests.judge_engine.test_stored_requests import arrived, in_order
from tests.scoring.conftest import approved

Names = dict[str, str]
Part = Generator[Names, Any, None]
LATEST: Names = {}

FIRST_STOP = {
    "judge": "0020_reserved_micro",
    "review": "0009_release_by_a_rule",
    "rubrics": "0013_collected_rubrics",
    "curation": "0030_operators",
}
RELEASES_MAY_BE_EQUAL = {"judge": "0022_price_events"}
BEGINNINGS_ARE_APART = {"judge": "0025_takeovers"}
PRICES_HAVE_ONE_TIME = {"judge": "0029_endpoints"}
ANSWERS_HAVE_NO_VERSION = {**FIRST_STOP, "judge": "0048_profiles"}
STAFF_HAVE_NO_DUTIES = {"curation": "0037_mail_of_invitations"}
RUNS_HAVE_NO_ACTS = {"judge": "0059_overrules_of_findings"}
SHEETS_HAVE_NO_ITEM = {"judge": "0064_imports_in_the_browser"}

STOPS = (
    *(RELEASES_MAY_BE_EQUAL, BEGINNINGS_ARE_APART, PRICES_HAVE_ONE_TIME, ANSWERS_HAVE_NO_VERSION),
    *(STAFF_HAVE_NO_DUTIES, RUNS_HAVE_NO_ACTS, SHEETS_HAVE_NO_ITEM, LATEST),
)

NEW_RELEASE = "/staff/gold/releases/new/"
MARK = "assay.prompt_prefix"
VENDORS = ("openai", "anthropic")


def rows(models: Any = apps) -> dict[str, int]:
    """How many rows each table of ours holds."""
    return {
        model._meta.label: model._base_manager.count()
        for app in FIRST_STOP
        for model in models.get_app_config(app).get_models()
    }


def equal_releases(browser: Client) -> Part:
    """Nobody loses a number or a file they were given, and equal ones point to the first."""
    wish = {"size": "4", "seed": "11", "allocation": "proportional", "redistribute": "1"}
    browser.post(NEW_RELEASE, wish | {"formats": "jsonl"})
    old = (yield RELEASES_MAY_BE_EQUAL).get_model("judge", "GoldRelease").objects
    real = old.values().get()
    for number, sha256 in ((9, real["sha256"]), (3, "b" * 64), (2, real["sha256"]), (4, "c" * 64)):
        old.create(**{**real, "id": None, "number": number, "sha256": sha256})
    yield LATEST
    found = GoldRelease.objects.values_list("number", "same_as__number")
    assert dict(found) == {1: None, 2: 1, 3: None, 4: None, 9: 1}
    assert "This is the same as release 1." in browser.get("/staff/gold/releases/9/").text
    assert "the same as release" not in browser.get("/staff/gold/releases/1/").text
    assert browser.get("/staff/gold/").text.count("same as 1") == 2
    assert browser.post(NEW_RELEASE, wish | {"formats": "jsonl"}).url == "/staff/gold/releases/1/"


def beginnings_apart(stub: Any, judge: Callable[..., Any]) -> Part:
    """Requests whose beginning was stored apart are whole; a text like a mark stays as it is."""
    factory.benchmark(2, 2)
    task = factory.external_task(materials="“折现率” 6,2 % 🙂\n" * 20)
    factory.respond(task, "sly", text=f'{{"{MARK}": "{"0" * 64}"}}')
    keys = [*Response.objects.filter(task__origin="external").values_list("task__key", flat=True)]
    for vendor in VENDORS:
        judge(provider=vendor, task_keys=sorted(set(keys)))
    Call.objects.create(purpose="probe", provider="openai", model="empty", prompt_sha256="0" * 64)
    # More than the migration takes in hand at once.
    copies = [{**row, "id": None} for row in Call.objects.values()]
    Call.objects.bulk_create(Call(**row) for row in copies * 20)
    whole = _stored(apps)
    old = yield BEGINNINGS_ARE_APART
    assert _stored(old) == whole
    assert _set_apart(old) == 3
    assert sum(MARK in str(request["messages"][0]) for request in _stored(old).values() if request)
    yield LATEST
    assert "judge_promptprefix" not in connection.introspection.table_names()
    assert _stored(apps) == whole
    sent = in_order(request for request in whole.values() if request)
    assert {*sent} == {*in_order(arrived(stub))}


def _stored(models: Any) -> dict[int, Any]:
    calls = models.get_model("judge", "Call").objects.filter(provider__in=VENDORS)
    return dict(calls.values_list("pk", "request"))


def _set_apart(models: Any) -> int:
    """Store the beginnings of all requests apart, as that version did; return how many."""
    call, prefix = models.get_model("judge", "Call"), models.get_model("judge", "PromptPrefix")
    names = {"openai": ("messages", "content"), "anthropic": ("system", "text")}
    calls = call.objects.filter(provider__in=VENDORS).exclude(request={})
    for pk, provider, request in calls.values_list("pk", "provider", "request"):
        blocks, part = names[provider]
        first, *rest = request[blocks]
        name = f"{hash(first[part]) & (2**64 - 1):064d}"
        prefix.objects.get_or_create(sha256=name, defaults={"text": first[part]})
        call.objects.filter(pk=pk).update(
            request={**request, blocks: [{**first, part: {MARK: name}}, *rest]}
        )
    return int(prefix.objects.count())


def a_price_with_one_time() -> Part:
    """The price known before prices had dates counts for all calls."""
    now = timezone.now()
    old = yield PRICES_HAVE_ONE_TIME
    old.get_model("judge", "Price").objects.create(
        provider="openai", model="larch-4", input_micro=1, cached_micro=1, output_micro=1, since=now
    )
    yield LATEST
    row = Price.objects.get(model="larch-4")
    assert (row.since, row.entered_at) == (None, now)


def scores_without_an_answer(
    author: User, screener: User, reviewer: User, senior: User, scorers: list[User], finance: Domain
) -> Part:
    """Scores get the reference answer by which they were given."""
    task = approved(author, screener, reviewer, finance)
    first = task.version
    judgments = Judgment.objects.filter(response__task=task)
    graded_sheets = GradedSheet.objects.filter(response__task=task)
    imported = Sheet.objects.filter(response__task=task, purpose="imported")
    _judged_and_graded(task, "early", scorers[0])
    earlier = timezone.now() - timedelta(minutes=5)
    judgments.update(created_at=earlier)
    for sheets in (graded_sheets, imported):
        sheets.update(opened_at=earlier)
    amended(task, author, senior, rubric=False, reference_answer=RIGHT)
    second = task.version
    _judged_and_graded(task, "late", scorers[1])
    lines = list(Criterion.objects.order_by("pk").values())
    assert lines
    graded = list(graded_sheets.values())  # their table did not exist at the first stop

    old = yield ANSWERS_HAVE_NO_VERSION
    model = old.get_model("judge", "GradedSheet")
    names = {field.attname for field in model._meta.concrete_fields}
    for row in graded:
        model.objects.create(**{name: row[name] for name in names})
    assert not hasattr(old.get_model("curation", "Task")(), "answer_since")
    assert not hasattr(old.get_model("judge", "Judgment")(), "answer_version")
    assert old.get_model("rubrics", "Criterion").objects.count() == len(lines)

    yield LATEST
    assert list(Criterion.objects.order_by("pk").values()) == lines
    task = Task.objects.get(pk=task.pk)
    assert (task.answer_since, second > first) == (second, True)
    # 0 is the answer that the task had at first, whatever version its text was then.
    assert _answers_of(graded_sheets) == [0, second]
    assert _answers_of(imported) == [0, second]
    early, *late = _answers_of(judgments.filter(method="graded"))
    assert (early, set(late)) == (0, {second})
    assert set(_answers_of(judgments.filter(method="zero_shot"))) == {None}


def _judged_and_graded(task: Task, name: str, by: User) -> None:
    """A response that a judge, an expert and an imported judge score, each as a whole."""
    response = Response.objects.create(
        key=f"{task.key}-{name}",
        task=task,
        candidate=families.candidate_named(name),
        text=f"{name} says: net debt rises. " * 5,
        source=Response.Source.IMPORTED,
        text_version=task.version,
    )
    sheet = assign_graded_sheet(response=response, scorer=by)
    submit_graded_sheet(actor=by, graded_sheet=sheet, grade=4, analysis="One gap.")
    Sheet.objects.create(
        response=response,
        kind="judge",
        purpose="imported",
        rater="judge-y",
        state="submitted",
        submitted_at=timezone.now(),
        score=0.5,
        answer_version=task.version,
    )
    for method in ("graded", "zero_shot"):
        work_on_run(
            plan_run(
                actor=None, method=method, provider="offline", task_keys=[task.key], model=name
            )
        )


def _answers_of(found: Any) -> list[Any]:
    return list(found.order_by("pk").values_list("answer_version", flat=True))


def staff_without_duties() -> Part:
    """Staff of before get every duty, and nobody else any."""
    users = (yield STAFF_HAVE_NO_DUTIES).get_model("curation", "User").objects
    users.create(email="office@example.test", is_staff=True)
    users.create(email="expert@example.test")
    yield LATEST
    duties = [f"does_{d}" for d in ("recruiting", "editing", "scoring", "gold", "administration")]
    for name, may in (("office", True), ("expert", False)):
        user = User.objects.get(email=f"{name}@example.test")
        assert [getattr(user, duty) for duty in duties] == [may] * 5


def sheets_asked_for_by_flags(ana: User, ben: User) -> Part:
    """Sheets that a set asked for because of a flag are linked to its item; others are not.

    The responses are those of `scores_without_an_answer`.
    """
    old = yield SHEETS_HAVE_NO_ITEM
    responses = old.get_model("judge", "Response").objects.filter(graded_sheets__isnull=False)
    by_flag, both = responses.order_by("pk")
    version = old.get_model("rubrics", "RubricVersion").objects.filter(task=by_flag.task).last()

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


def a_run_without_acts() -> Part:
    """What the run itself knows is told as an act of nobody."""
    at = timezone.now() - timedelta(days=9)
    run = (
        (yield RUNS_HAVE_NO_ACTS)
        .get_model("judge", "JudgeRun")
        .objects.create(method="zero_shot", provider="offline", model="rules-1", created_at=at)
    )
    yield LATEST
    (act,) = apps.get_model("judge", "RunAct").objects.filter(run_id=run.pk)
    assert (act.kind, act.actor_id, act.at) == ("planned", None, at)

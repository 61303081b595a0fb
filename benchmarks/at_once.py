"""Takes every step that lists offer on 500 rows, and checks that it is done for all or for none.

    python -m benchmarks.at_once [--rows 500] [--database URL]

Fills a throw-away database as `benchmarks.desk` does, with more rows where a list has fewer than
500. Each step is posted through Django's test client as a browser posts it:

1. The preview, which must change nothing.
2. The step with a row among them that does not exist: nothing may change.
3. The step for all rows that can, pressed twice: the second press may change nothing.

Shows the seconds of the preview and of the step, and their queries for a row. Exit status 1 if a
check fails. Results go to `var/bench/at_once.json`.
"""

import argparse
import json
import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.desk import ROOT, in_new_database

MODULE = "benchmarks.at_once"
REASON = {"reason": "The programme ended."}
SUSPENSION = {"domain": "finance", **REASON}
NO_SUCH_ROW = 999_999_999


def prepared(staff: Any, number: int) -> "Iterator[tuple[str, str, dict[str, str], Any]]":
    """Yield each list, step, form and the rows to tick, once rows that can take it are there."""
    from django.utils import timezone

    from curation.joining.domains.models import Domain
    from curation.joining.people import Qualification, User
    from curation.qualifying.applications.models import Application
    from curation.qualifying.exams.bank_models import Exam, Question
    from curation.staff.honoraria.models import Honorarium
    from curation.tasks.task.models import Task
    from judge.asking.candidates.models import Candidate, Response
    from judge.runs.engine.models import JudgeRun
    from judge.scoring.graded_sheets.models import GradedSheet
    from judge.scoring.sheets.models import Sheet
    from review.rounds.assignment_models import Round

    def first(rows: Any) -> list[int]:
        return list(rows.order_by("pk").values_list("pk", flat=True)[:number])

    for domain in Domain.objects.all():
        exam = Exam.objects.create(domain=domain, title="Exam")
        Question.objects.create(
            exam=exam, key_id="q1", position=1, kind="single", text="Which?",
            options=["This", "That"], key=[0],
        )  # fmt: skip
    applied = Application.objects.filter(stage="applied")
    Application.objects.update(stage="applied")
    yield "applications", "admit", {"words": ""}, first(applied)
    yield "applications", "reject", {"reason": "", "words": "Not enough practice."}, first(applied)

    candidates = Candidate.objects.bulk_create(
        Candidate(name=f"more-{n}", family="House", released_on=timezone.now().date())
        for n in range(number)
    )
    answered = Response.objects.order_by("pk")[0]
    Response.objects.bulk_create(
        Response(
            key=f"more-{one.pk}", task_id=answered.task_id, candidate=one, text="It is 100.",
            source="imported", text_version=1, marks_version=1,
        )
        for one in candidates
    )  # fmt: skip
    run = JudgeRun.objects.latest("pk")
    JudgeRun.objects.filter(pk=run.pk).update(provider="offline", model="rules")
    again = {"like": str(run.pk), "budget_usd": ""}
    yield "tasks", "judge", again, first(Task.objects.filter(responses__isnull=False).distinct())
    more = Candidate.objects.filter(name__startswith="more")
    yield "candidates", "judge", again, first(more)

    graded = GradedSheet.objects.values("response")
    GradedSheet.objects.bulk_create(
        GradedSheet(
            response_id=sheet.response_id, version_id=sheet.version_id, rater=sheet.rater,
            user_id=sheet.user_id, due_at=timezone.now(),
        )
        for sheet in Sheet.objects.exclude(response__in=graded)[:number]
    )  # fmt: skip
    for name, model in (("sheets", Sheet), ("graded-sheets", GradedSheet)):
        rows = model.objects.filter(user__isnull=False)
        rows.filter(pk__in=first(rows)).update(state="open", submitted_at=None)
        yield name, "remind", {}, first(rows)
        yield name, "extend", {"days": "7"}, first(rows)
        yield name, "take-back", REASON, first(rows)

    approved = Task.objects.filter(stage="approved")
    reviewed = Task.objects.filter(pk__in=first(approved))
    Round.objects.filter(review__task__in=first(approved)).update(finished_at=None)
    reviewed.update(stage="in_review")
    yield "tasks", "remind", {}, first(reviewed)
    yield "tasks", "extend", {"days": "7"}, first(reviewed)
    yield "tasks", "assign", {"reviewer": ""}, first(reviewed)
    yield "tasks", "reopen", REASON, first(approved)
    reviewed.update(stage="approved")
    discarded = first(reviewed)
    yield "tasks", "discard", REASON, discarded
    yield "tasks", "take-back", REASON, discarded

    for step, form in (("off-board", REASON), ("on-board", REASON), ("retire", {})):
        yield "candidates", step, form, first(more)

    people = User.objects.filter(pk__in=first(User.objects.exclude(pk=staff.pk)))
    Honorarium.objects.bulk_create(
        Honorarium(
            person=person, kind="other", description="Travel", fixed_amount=10,
            fixed_currency="EUR", entered_by=staff, finished_at=timezone.now(),
        )
        for person in people
        for _n in range(2)
    )  # fmt: skip
    waiting = Honorarium.objects.filter(state="waiting")
    refused = first(waiting)
    yield "honoraria", "refuse", REASON, refused
    yield "honoraria", "again", {}, refused
    paid = first(waiting)
    yield "honoraria", "approve", {}, paid
    yield "honoraria", "paid", {}, paid

    finance = Domain.objects.get(key="finance")
    Qualification.objects.bulk_create(
        (Qualification(user=person, domain=finance) for person in people), ignore_conflicts=True
    )
    yield "people", "suspend", SUSPENSION, first(people)
    yield "people", "reinstate", SUSPENSION, first(people)
    yield "people", "close", REASON, first(people)


def measure(number: int) -> dict[str, Any]:
    """Fill the database and take every step."""
    from django.test import Client
    from django.test.utils import setup_test_environment

    from benchmarks.desk import filled
    from curation.base.lists.bulk import steps_of
    from curation.base.lists.declared import all_lists

    made = filled((1346, 1000, 20))
    setup_test_environment()  # so that responses have their context
    logging.getLogger("django.request").setLevel(logging.ERROR)  # refusals are wanted here
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(made["staff"], backend="django.contrib.auth.backends.ModelBackend")
    answer = {
        f"{name}: {step}": taken(client, f"/staff/lists/{name}/{step}/", form, rows)
        for name, step, form, rows in prepared(made["staff"], number)
    }
    offered = {f"{spec.name}: {step.key}" for spec in all_lists() for step in steps_of(spec.name)}
    assert set(answer) == offered, offered ^ set(answer)
    return answer


def taken(client: Any, address: str, form: dict[str, str], rows: list[int]) -> dict[str, Any]:
    """Take a step and return what it took, and which checks failed."""
    failed = []
    before = counts()
    sent = {"rows": _typed(rows), "checked": "1", **form}
    with counted() as preview:
        page = client.post(address, sent)
    can = [row.pk for row in page.context["can"]]
    reasons = sorted({row.why for row in page.context["cannot"]})
    if changed := differences(before, counts()):
        failed.append(f"the preview changed {changed}")
    with_one_too_many = sent | {"rows": _typed([*can[:-1], NO_SUCH_ROW])}
    if client.post(f"{address}do/", with_one_too_many).status_code != 409:
        failed.append("a row that does not exist was accepted")
    if changed := differences(before, counts()):
        failed.append(f"the refused step changed {changed}")
    # The token makes it one form of one page, as where a button is pressed twice.
    pressed = sent | {"rows": _typed(can), "csrfmiddlewaretoken": "x" * 64}
    with counted() as step:
        done = client.post(f"{address}do/", pressed)
    after = counts()
    if done.status_code != 302:
        failed.append(f"the step answered {done.status_code}")
    client.post(f"{address}do/", pressed)
    if changed := differences(after, counts()):
        failed.append(f"the second press changed {changed}")
    return {"rows": len(rows), "can": len(can), "why": reasons, "failed": failed} | {
        "preview_s": preview["seconds"],
        "step_s": step["seconds"],
        "preview_queries_of_a_row": round(preview["queries"] / len(rows), 1),
        "step_queries_of_a_row": round(step["queries"] / len(rows), 1),
    }


def _typed(rows: list[int]) -> str:
    return ",".join(map(str, rows))


def counts() -> dict[str, int]:
    """Return the number of rows of each table but sessions and forms that were sent.

    Every five minutes the session of whoever presses is recorded, which is no part of a step.
    """
    from django.apps import apps

    left_out = {"Session", "UserSession", "SentForm"}
    return {
        model._meta.label: model._base_manager.count()
        for model in apps.get_models()
        if model.__name__ not in left_out
    }


def differences(before: dict[str, int], after: dict[str, int]) -> str:
    """Return how many rows came or went, by table; "" if none."""
    changed = {label: after[label] - n for label, n in before.items() if after[label] != n}
    return ", ".join(f"{label} {by:+}" for label, by in changed.items())


@contextmanager
def counted() -> "Iterator[dict[str, Any]]":
    """Count the queries and seconds of what is done inside."""
    from django.db import connection

    found: dict[str, Any] = {"queries": 0}

    def count(execute: Callable[..., Any], *args: Any) -> Any:
        found["queries"] += 1
        return execute(*args)

    at = time.perf_counter()
    with connection.execute_wrapper(count):
        yield found
    found["seconds"] = round(time.perf_counter() - at, 1)


def main() -> int:
    parser = argparse.ArgumentParser(prog=f"python -m {MODULE}")
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--database", help="a PostgreSQL URL, which is emptied; without it SQLite")
    parser.add_argument("--inside", type=int, nargs=1, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        import django

        django.setup()
        print(json.dumps(measure(*arguments.inside)))
        return 0
    found = in_new_database(MODULE, (arguments.rows,), arguments.database)
    print(f"{'step':26} {'rows':>5} {'can':>5} {'preview s':>10} {'step s':>8}  queries of a row")
    for name, row in found.items():
        queries = f"{row['preview_queries_of_a_row']} / {row['step_queries_of_a_row']}"
        print(
            f"{name:26} {row['rows']:>5} {row['can']:>5} {row['preview_s']:>10}"
            f" {row['step_s']:>8}  {queries}"
        )
        for said in row["failed"]:
            print(f"    FAILED: {said}")
    out = ROOT / "var" / "bench" / "at_once.json"
    out.write_text(json.dumps(found, indent=2) + "\n")
    failed = sum(bool(row["failed"]) for row in found.values())
    print(f"\nWritten to {out.relative_to(ROOT)}; {failed} steps to look at.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

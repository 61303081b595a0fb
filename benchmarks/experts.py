"""Measures the pages of a programme of 1,000 applicants, 300 experts and 900 prompts.

    python -m benchmarks.experts [--applicants 1000 --experts 300 --prompts 900]

Fills a throw-away database at half the size and at the full size, requests every page that needs
no argument as staff, senior, expert and applicant, and counts queries and milliseconds. Lists whose
number of queries grows with their length are named, and the exit status is then 1. Results go to
`var/bench/experts.json`.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOMAINS = ("finance", "law", "education", "engineering", "humanities", "healthcare")
BODY = "A paragraph of the kind people write, with figures such as 12.5 % and dates. " * 12
REPEATS = 5
LANGUAGE = "en"


def fill(applicants: int, experts: int, prompts: int) -> dict[str, Any]:
    """Fill the database; return role -> the person who requests the pages."""
    from django.utils import timezone

    from curation.base.process.lifecycle import ApplicationStage
    from curation.joining.accounts import terms
    from curation.joining.accounts.models import TermsConsent
    from curation.joining.domains.models import Domain
    from curation.joining.people import Qualification, User
    from curation.qualifying.applications.models import Application, ApplicationEvent
    from curation.qualifying.trials.models import Trial

    now = timezone.now()
    domains = Domain.objects.bulk_create(
        Domain(key=key, name=key.title(), position=n) for n, key in enumerate(DOMAINS, start=1)
    )
    exams = _exams(domains)
    staff = User.objects.create_user("staff@bench.test", None, is_staff=True)
    people = User.objects.bulk_create(
        User(
            email=f"expert{n}@bench.test",
            display_name=f"Expert {n}",
            affiliation=f"Firm {n % 90}",
            password="!",
        )
        for n in range(experts)
    )
    Qualification.objects.bulk_create(
        Qualification(user=person, domain=domains[n % 6], senior=n % 12 < 6 and n < 72)
        for n, person in enumerate(people)
    )
    TermsConsent.objects.bulk_create(
        TermsConsent(user=person, version=terms.current_version()) for person in people
    )
    newcomers = User.objects.bulk_create(
        User(email=f"applicant{n}@bench.test", display_name=f"Applicant {n}", password="!")
        for n in range(applicants)
    )
    stages = [
        ApplicationStage.APPLIED,
        ApplicationStage.EXAM,
        ApplicationStage.TRAINING,
        ApplicationStage.TRIAL,
        ApplicationStage.REJECTED,
    ]
    applications = Application.objects.bulk_create(
        Application(
            user=person,
            domain=domains[n % 6],
            stage=stages[n % 5],
            affiliation=f"Firm {n % 90}",
            degree="MSc",
            years=3 + n % 30,
            credentials="Licensed.",
            languages=["en"],
            created_at=now - timedelta(hours=n),
            stage_since=now - timedelta(hours=n),
        )
        for n, person in enumerate(newcomers)
    )
    ApplicationEvent.objects.bulk_create(
        ApplicationEvent(application=a, actor=staff, to_stage=a.stage) for a in applications
    )
    Trial.objects.bulk_create(
        Trial(
            application=a,
            number=1,
            title=f"Trial {a.pk}",
            scenario=BODY,
            requirements=BODY,
            submitted_at=now if a.pk % 2 else None,
        )
        for a in applications
        if a.stage == ApplicationStage.TRIAL
    )
    _sit_exams(exams, [a for a in applications if a.stage != ApplicationStage.APPLIED], now)
    _write_tasks(people, domains, prompts, now)
    senior = next(p for n, p in enumerate(people) if n % 12 < 6)
    return {"staff": staff, "senior": senior, "expert": people[-1], "applicant": newcomers[1]}


def _exams(domains: list[Any]) -> list[Any]:
    from curation.qualifying.exams.bank_models import Exam, Question

    exams = Exam.objects.bulk_create(
        Exam(domain=domain, title=f"{domain.name}: exam") for domain in domains
    )
    Question.objects.bulk_create(
        Question(
            exam=exam,
            key_id=f"q{n}",
            position=n,
            kind="single",
            topic=f"Topic {n % 4}",
            text=f"Which of these is right, number {n}?",
            options=["one", "two", "three"],
            key=[n % 3],
        )
        for exam in exams
        for n in range(1, 21)
    )
    return exams


def _sit_exams(exams: list[Any], applications: list[Any], now: Any) -> None:
    """Create one submitted sitting with ten answers per application."""
    from curation.qualifying.exams.bank_models import Question
    from curation.qualifying.exams.models import ExamSitting, SittingQuestion

    by_domain = {exam.domain_id: exam for exam in exams}
    bank: dict[int, list[Any]] = {}
    for question in Question.objects.order_by("pk"):
        bank.setdefault(question.exam_id, []).append(question)
    sittings = ExamSitting.objects.bulk_create(
        ExamSitting(
            application=a,
            attempt=1,
            deadline=now,
            submitted_at=now,
            points=5 + a.pk % 6,
            points_possible=10,
            passed=a.pk % 6 > 1,
        )
        for a in applications
    )
    SittingQuestion.objects.bulk_create(
        SittingQuestion(
            sitting=sitting,
            question=question,
            position=number,
            order=[0, 1, 2],
            answer=[(sitting.pk + number) % 3],
            answered_at=now,
            seconds=30 + number,
            points=int([(sitting.pk + number) % 3] == question.key),
        )
        for sitting, application in zip(sittings, applications, strict=True)
        for number, question in enumerate(bank[by_domain[application.domain_id].pk][:10], start=1)
    )


def _write_tasks(people: list[Any], domains: list[Any], prompts: int, now: Any) -> None:
    """Create tasks in every stage, with seats, slots, history and votes."""
    from curation.base.process.lifecycle import Stage
    from curation.screening.panels.models import PanelPlace, ScreeningVote
    from curation.tasks.task.models import Seat, Slot, Task, TaskEvent

    stages = list(Stage.values)
    tasks = Task.objects.bulk_create(
        Task(
            key=f"bench-{n}",
            domain=domains[(n % len(people)) % 6],
            author=people[n % len(people)],
            title=f"Prompt {n}",
            scenario=BODY,
            materials=BODY,
            requirements=BODY,
            reference_answer=BODY,
            minutes=120,
            language=LANGUAGE,
            stage=stages[n % len(stages)],
            screening_round=1,
            stage_since=now - timedelta(hours=n),
        )
        for n in range(prompts)
    )
    Seat.objects.bulk_create(
        Seat(task=task, user_id=task.author_id, role="author") for task in tasks
    )
    Slot.objects.bulk_create(
        Slot(expert_id=task.author_id, number=n // len(people) + 1, task=task)
        for n, task in enumerate(tasks)
        if task.stage != Stage.DRAFT
    )
    TaskEvent.objects.bulk_create(
        TaskEvent(task=task, actor_id=task.author_id, to_stage=task.stage) for task in tasks
    )
    others = {task.pk: people[(n + 6) % len(people)] for n, task in enumerate(tasks)}
    screened = [task for task in tasks if task.stage == Stage.SCREENING]
    Seat.objects.bulk_create(Seat(task=t, user=others[t.pk], role="screener") for t in screened)
    PanelPlace.objects.bulk_create(
        PanelPlace(task=t, round=1, member=others[t.pk], due_at=now + timedelta(days=3))
        for t in screened
    )
    ScreeningVote.objects.bulk_create(
        ScreeningVote(
            task=task,
            round=1,
            member=others[task.pk],
            difficult=True,
            representative=True,
            gradable=True,
            decision="keep",
            reasons="Typical, hard and gradable.",
        )
        for task in tasks
        if task.stage not in (Stage.DRAFT, Stage.SUBMITTED, Stage.SCREENING)
    )


def pages() -> list[str]:
    """Return the paths of the product's own pages that need no argument."""
    from django.urls import NoReverseMatch, reverse

    from curation.base.access import permissions

    left_out = ("account", "mfa", "usersessions", "admin", "api-schema", "api-docs", "gallery")
    found = []
    for route, verbs in sorted(permissions.routes().items()):
        if "GET" not in verbs or route.startswith(left_out) or route in ("healthz", "readyz"):
            continue
        try:
            found.append(reverse(route))
        except NoReverseMatch:
            continue
    return found


def measure(sizes: tuple[int, int, int]) -> dict[str, dict[str, Any]]:
    """Return "role path" -> queries and milliseconds, for pages the person may open."""
    from django.db import connection
    from django.test import Client

    found: dict[str, dict[str, Any]] = {}
    for role, person in fill(*sizes).items():
        client = Client(headers={"host": "127.0.0.1"}, raise_request_exception=True)
        client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
        for path in pages():
            if client.get(path).status_code != 200:  # also fills the caches
                continue
            count = 0

            def counted(execute: Any, *arguments: Any) -> Any:
                nonlocal count
                count += 1
                return execute(*arguments)

            with connection.execute_wrapper(counted):
                client.get(path)
            times = []
            for _ in range(REPEATS):
                started = time.perf_counter()
                client.get(path)
                times.append((time.perf_counter() - started) * 1000)
            found[f"{role} {path}"] = {
                "queries": count,
                "ms": round(statistics.median(times), 1),
            }
    return found


def measure_in_new_database(sizes: tuple[int, int, int], name: str) -> dict[str, dict[str, Any]]:
    """Measure in a new process with a new database."""
    var = ROOT / "var" / "bench" / f"experts-{name}"
    subprocess.run(["rm", "-rf", str(var)], check=True)
    var.mkdir(parents=True)
    env = os.environ | {
        "VAR_DIR": str(var),
        "DEBUG": "0",
        "HTTPS": "0",
        "ALLOWED_HOSTS": "127.0.0.1",
        "PUBLIC_URL": "http://127.0.0.1",
        "REQUIRE_SECOND_FACTOR": "0",
        "SECRET_KEY": "benchmark-" + "x" * 40,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    for command in (["migrate", "--verbosity", "0"], ["collectstatic", "--noinput", "-v", "0"]):
        subprocess.run([sys.executable, "manage.py", *command], env=env, cwd=ROOT, check=True)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.experts", "--inside", *map(str, sizes)],
        env=env, cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.experts")
    parser.add_argument("--applicants", type=int, default=1000)
    parser.add_argument("--experts", type=int, default=300)
    parser.add_argument("--prompts", type=int, default=900)
    parser.add_argument("--inside", type=int, nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        import django

        django.setup()
        print(json.dumps(measure(tuple(arguments.inside))))
        return 0
    full = (arguments.applicants, arguments.experts, arguments.prompts)
    half = tuple(max(12, n // 2) for n in full)
    small, large = measure_in_new_database(half, "half"), measure_in_new_database(full, "full")
    grew = [p for p in large if p in small and large[p]["queries"] > small[p]["queries"]]
    width = max(map(len, large))
    print(f"{'':{width}}  queries at half / full   ms at half / full")
    for page, row in sorted(large.items()):
        few = small.get(page, {"queries": None, "ms": None})
        mark = "  GREW" if page in grew else ""
        print(
            f"{page:{width}}  {few['queries']!s:>7} / {row['queries']:<7}"
            f"   {few['ms']!s:>10} / {row['ms']:<8}{mark}"
        )
    out = ROOT / "var" / "bench" / "experts.json"
    out.write_text(json.dumps({"sizes": full, "half": small, "full": large}, indent=2) + "\n")
    print(f"\nWritten to {out.relative_to(ROOT)}; {len(grew)} lists grew.")
    return 1 if grew else 0


if __name__ == "__main__":
    sys.exit(main())

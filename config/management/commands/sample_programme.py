"""Loads the sample programme into an empty database."""

import os
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from config.sample import anchors, dates, notices, people, tasks
from config.sample.checklists import load_checklists
from config.sample.honoraria import load_honoraria
from config.sample.products.loading import load_products_benchmark
from config.sample.results import load_results
from config.sample.skills import load_skills
from config.sample.talk import load_talk
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.tasks.task.models import Task
from judge.scoring.anchors.models import Anchor

DEMO = [
    *("author", "author2", "reviewer", "scorer", "senior", "staff", "applicant"),
    *("solver", "operator", "observer"),
]
WHAT_WAITS = {
    "author": "writes: a rubric to answer, a draft to finish",
    "author2": "writes: a fresh machine draft to refine",
    "reviewer": "reviews: a rubric in the middle of round 1",
    "scorer": "scores: a blind sheet, started",
    "senior": "checks: a trial task, answers of an exam, a spot check; decides: two open lines",
    "staff": "runs the programme",
    "applicant": "applies: the exam is next",
    "solver": "recruiting and marketing: a question to solve, an answer to grade",
    "observer": "staff without a duty: reads every page of the programme, changes nothing",
    "operator": "asks products by hand: nine answers to collect",
}


class Command(BaseCommand):
    help = "Load the sample programme. Running it again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="only into an empty database")
        parser.add_argument("--quiet", action="store_true", help="print nothing")
        parser.add_argument("--sign-ins", action="store_true", help="print the sign-ins and stop")

    def handle(self, *args: Any, **options: Any) -> None:
        loaded = User.objects.filter(email="author@example.test").exists()
        if options["sign_ins"]:
            if loaded:
                self._print_sign_ins()
            return
        if loaded:
            self._say(options, "The sample programme is loaded already. Nothing was changed.")
            return
        if options["if_empty"] and holds_programme():
            return
        refuse_unless_empty()
        if not settings.DEMO:
            raise CommandError(
                "The sample programme brings accounts with a known password. Set DEMO=1 if that "
                "is what you want. Nothing was changed."
            )
        password = settings.DEMO_PASSWORD or f"assay-{secrets.token_hex(4)}"
        load_everything(password)
        store_password(password)
        self._say(options, f"Loaded the sample programme: {Task.objects.count()} tasks.")
        if not options["quiet"]:
            self._print_sign_ins()

    def _say(self, options: dict[str, Any], sentence: str) -> None:
        if not options["quiet"]:
            self.stdout.write(sentence)

    def _print_sign_ins(self) -> None:
        path = password_file()
        password = path.read_text().strip() if path.exists() else "(set when it was loaded)"
        self.stdout.write(f"\n  Sign in with the password  {password}")
        for name in DEMO:
            self.stdout.write(f"    {name + '@example.test':26} {WHAT_WAITS[name]}")


def holds_programme() -> bool:
    """Return whether the database already holds tasks, domains or people."""
    return Task.objects.exists() or Domain.objects.exists() or User.objects.exists()


def refuse_unless_empty() -> None:
    """Raise CommandError if the database holds a programme: the sample is never mixed with one."""
    if holds_programme():
        raise CommandError(
            "This database holds a programme already. The sample programme is loaded into "
            "an empty database only. Nothing was changed."
        )


@transaction.atomic
def load_everything(password: str) -> None:
    """Load the sample programme with its skills, benchmark of products, results and honoraria.

    In one transaction.
    """
    everybody = load(password)
    load_skills(everybody["staff"])
    load_checklists(everybody["staff"], everybody["senior"])
    load_products_benchmark(everybody)
    dates.spread_verdicts()
    load_results(everybody)
    load_talk(everybody)
    load_honoraria(everybody["staff"])


@transaction.atomic
def load(password: str) -> dict[str, User]:
    """Load the sample programme in one transaction; return its people by the names of the file."""
    people.load_domains()
    people.load_exams()
    everybody = people.load_people(password)
    people.load_trials(everybody, password)
    for order, script in enumerate([*tasks.GOLD, *tasks.OTHERS]):
        if order == len(tasks.GOLD):
            tasks.set_rules(everybody)
        task = tasks.walk(script, everybody)
        task.refresh_from_db()
        dates.spread_task(task, order)
    anchors.load_anchors(everybody)
    for order, anchor in enumerate(Anchor.objects.select_related("task")):
        dates.spread_anchor(anchor, order)
    dates.age_qualifications()
    for order, application in enumerate(Application.objects.all()):
        dates.spread_application(application, order)
    notices.spread_notices()
    return everybody


def password_file() -> Path:
    """Return the path of the file with the demo password."""
    return Path(settings.VAR_DIR) / "demo_password"


def store_password(password: str) -> None:
    """Store the password (mode 600), so that the next `make run` can print it."""
    path = password_file()
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(password + "\n")

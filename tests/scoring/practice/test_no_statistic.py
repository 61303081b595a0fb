"""Practice and known sheets change no statistic, list of results, export or release."""

import io
import json
import random
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.staff.honoraria.models import Honorarium
from curation.staff.honoraria.rates import set_rate
from curation.staff.honoraria.sources import collect_finished_work
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.gold.releases.pool import Entry
from judge.gold.releases.rows import PersonIndex, chunks
from judge.results.alignment.raters import rater_names
from judge.results.flags.error_code_queries import lines_of
from judge.results.flags.error_code_queries import report as error_report
from judge.results.flags.flags import flaggers
from judge.results.registry.queries import candidate_rows
from judge.runs.engine.models import JudgeRun
from judge.scoring.agreement.models import Adjudication
from judge.scoring.agreement.queries import report as agreement_report
from judge.scoring.agreement.units import Kind, units_of
from judge.scoring.assignments.record import facts
from judge.scoring.sheets.models import Sheet, SheetLine
from judge.scoring.sheets.queries import current_sheets, submitted_sheets
from tests.results.alignment.conftest import Bench, fill_three

pytestmark = pytest.mark.django_db


@pytest.fixture
def bench(finance: Domain) -> Bench:
    """Two experts on two tasks, an imported judge and a run."""
    bench = Bench(finance)
    fill_three(bench)
    for key in ("one", "two"):
        bench.sheet(key, "Cedar", "expert-2", (1, 1, 0, 1))
        bench.sheet(key, "Birch", "expert-2", (1, 0, 0, 0))
        for name, met in (
            ("Cedar", (1, 1, 1, 0)),
            ("Birch", (1, 0, 0, 0)),
            ("Alder", (0, 0, 0, 1)),
        ):
            bench.sheet(key, name, "machine", met, kind="judge")
    bench.run(
        {
            (key, name): (1, 1, n % 2, 0)
            for key in ("one", "two")
            for n, name in enumerate(("Cedar", "Birch", "Alder"))
        }
    )
    return bench


def add_uncounted(person: Any, finance: Domain, seed: int) -> None:
    """A practice or known sheet of each of three people on each response, with any verdicts."""
    lots = random.Random(seed)  # noqa: S311
    for n in range(3):
        user = person(f"extra{seed}-{n}", finance)
        for response in Response.objects.order_by("pk"):
            version = response.task.rubric_versions.get()
            kind = lots.choice(("practice", "known"))
            sheet = Sheet.objects.create(
                response=response, version=version, kind=kind, purpose="alignment",
                rater=f"{kind}-{user.pk}", user=user, state="submitted",
                submitted_at=timezone.now(), worked_seconds=lots.randrange(1000),
            )  # fmt: skip
            SheetLine.objects.bulk_create(
                SheetLine(sheet=sheet, criterion=line, met=lots.random() < 0.5, rationale="Why.")
                for line in version.criteria.all()
            )


def printed(command: str, *arguments: str) -> Any:
    out = io.StringIO()
    call_command(command, *arguments, stdout=out)
    return out.getvalue()


def everything(staff: Any, scorer: Any, finance: Domain) -> dict[str, Any]:
    """What the product says of results, by name."""
    run = str(JudgeRun.objects.latest("pk").pk)
    found = {
        "alignment of a run": printed("alignment", "--judge", run, "--bootstrap=200", "--json"),
        "alignment of a judge": printed(
            "alignment", "--judge", "machine", "--bootstrap=200", "--json"
        ),
        "leaderboard of a run": printed("leaderboard", "--run", run, "--json"),
        "leaderboard of a judge": printed("leaderboard", "--run", "machine", "--json"),
        "task analysis": printed("task_analysis", "--json", "--responses=3"),
        "raters": rater_names(),
        "submitted": sorted(submitted_sheets().values_list("pk", flat=True)),
        "current": sorted(current_sheets().values_list("pk", flat=True)),
        "candidates": repr(candidate_rows()),
        "units": sorted(
            (unit.response, unit.key, sorted(map(str, unit.pattern())))
            for unit in units_of(Kind.SHEET, Task.objects.all())
        ),
        "agreement": repr(agreement_report(staff, Adjudication.Kind.SHEET)),
        "errors": repr(error_report(finance)),
        "lines with errors": [
            [(line.criterion.pk, line.unmet_by, line.differ) for line in lines_of(response)]
            for response in Response.objects.order_by("pk")
        ],
        "flags": sorted(flaggers()),
        "record": [(fact.sentence, fact.n, fact.of) for fact in facts(scorer)],
    }
    entries = [
        Entry(
            pk=task.pk, key=task.key, title=task.title, domain=finance.key, stratum="",
            version=task.rubric_versions.get(), anchor=None, anchor_stage="", outdated=False,
        )
        for task in Task.objects.order_by("pk")
    ]  # fmt: skip
    made = list(chunks(entries, PersonIndex(), with_responses=True))
    found["scores of a release"] = sum(len(chunk.scores) for chunk in made)
    found["release"] = json.dumps(
        [(chunk.responses, chunk.scores, chunk.provenance) for chunk in made], default=str
    )
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_no_statistic_changes_when_practice_and_known_sheets_are_added(
    bench, staff, person, finance, seed
):
    scorer = person("scorer", finance)
    before = everything(staff, scorer, finance)
    assert before["submitted"]
    assert before["scores of a release"] >= 16
    add_uncounted(person, finance, seed)
    after = everything(staff, scorer, finance)
    for name, value in before.items():
        assert after[name] == value, name


def test_a_person_with_known_sheets_has_the_same_record(bench, person, finance):
    add_uncounted(person, finance, 1)
    user = Sheet.objects.filter(kind="known").first().user
    assert {(fact.n, fact.of) for fact in facts(user)} == {(0, 0)}


def test_the_database_holds_that_they_look_like_others(bench, person, finance):
    sheet = Sheet.objects.filter(kind="expert").first()
    with pytest.raises(IntegrityError), transaction.atomic():
        Sheet.objects.filter(pk=sheet.pk).update(kind="known")  # its purpose is "imported"


def test_a_practice_sheet_is_not_paid_and_a_known_one_is(bench, finance, person):
    add_uncounted(person, finance, 3)
    set_rate(
        actor=person("office", is_staff=True), kind="sheet", domain=None, unit="piece",
        amount=Decimal("9.00"), currency="EUR", cap_minutes=None, since=date(2020, 1, 1),
    )  # fmt: skip
    collect_finished_work()
    paid = set(Honorarium.objects.filter(kind="sheet").values_list("source", flat=True))
    known = set(Sheet.objects.filter(kind="known").values_list("pk", flat=True))
    practice = set(Sheet.objects.filter(kind="practice").values_list("pk", flat=True))
    assert known
    assert known <= paid
    assert practice
    assert not practice & paid

"""The end of the sample programme: answers of five more candidates, sheets, runs and a release.

It follows everything else, so that pages of results begin with it, and `make demo`, which makes
results of its own, goes without it.
"""

import shutil
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db.models import F, QuerySet
from django.utils import timezone

from config.sample import FOLDER, read_file
from config.sample.anchors import UNDER_WAY
from config.sample.error_codes import load_error_codes
from config.sample.practice import load_practice
from config.sample.tasks import GOLD, People
from config.sample.tuning import flag_verdicts, try_line_by_line
from curation.qualifying.applications.models import Certification
from curation.qualifying.applications.profiles import check_certificate, enter_profile
from curation.tasks.task.models import Task, TaskEvent
from judge.asking.candidates.models import Candidate
from judge.base.gold_sets.models import GoldRelease
from judge.base.queue import leases
from judge.gold.releases.draw import DrawSpec
from judge.gold.releases.release import release_gold
from judge.gold.transfer.responses import Responses
from judge.methods.evidence.sources import folder_of
from judge.results.alignment_sets.actions import draw_alignment_set
from judge.results.alignment_sets.drawing import SampleSpec
from judge.results.alignment_sets.models import AlignmentSet
from judge.results.registry.actions import add_candidate
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.planning.plan import plan_run
from judge.runs.engine.work import work_on_run
from judge.scoring.sheets.actions import score_line, submit_sheet
from judge.scoring.sheets.models import Sheet

HOUSES = {
    "Elm 2": "Tamarisk Labs",
    "Fir 1": "Tamarisk Labs",
    "Ginkgo 2": "Wenshan Research",
    "Hazel 1": "Osprey Works",
    "Ironwood 3": "Osprey Works",
}
REPORTS = "law-germany-redundancies"  # its answers cite documents, and JADE verifies their claims
METHODS = ("zero_shot", "one_shot")  # the last one is the newest, so pages begin with it
SOURCE = "local:sample"  # of documents, in VAR_DIR
SEED = 20261124
DOMAINS = ("engineering", "finance", "healthcare", "humanities")  # of the alignment set
DRAWN_AGO = timedelta(days=4)
# Sheets of each domain that are submitted; one more is begun, the others wait.
SUBMITTED = {"finance": 5, "healthcare": 5, "engineering": 2, "humanities": 0}
BEGUN = 6  # lines of the sheet that is begun


def load_results(people: People) -> None:
    """Add what a programme has when its first results are out. Needs the anchors."""
    staff = people["staff"]
    describe_panel(people)
    for name, house in HOUSES.items():
        add_candidate(actor=staff, name=name, kind=Candidate.Kind.MODEL, family=house)
    Responses().run(FOLDER / "results" / "responses.jsonl")
    alignment_set = score_alignment_set(staff)
    verify_reports(staff)
    try_line_by_line(staff, alignment_set)
    for method in METHODS:
        run = judge(staff, method, [script.slug for script in GOLD])
    flag_verdicts(staff, run)
    load_error_codes(staff)
    publish(staff)
    load_practice(people)


def describe_panel(people: People) -> None:
    """Enter the profiles of the founding experts, and check certificates of those who applied."""
    staff, said = people["staff"], read_file("results/panel.json")
    today = timezone.localdate()
    for row in read_file("people.json"):
        name = row["email"].split("@")[0]
        if row["domains"]:
            enter_profile(
                actor=staff,
                person=people[name],
                degree=row["degree"],
                practising_since=today.year - row["years"],
                languages=said["languages"][name],
            )
    for row in said["checks"]:
        on = today - timedelta(days=row["ago"])
        check_certificate(
            actor=staff,
            certification=Certification.objects.get(
                application__user=people[row["person"]], title=row["title"]
            ),
            outcome=row["outcome"],
            checked_on=on,
            valid_until=on + timedelta(days=row["valid_days"]) if "valid_days" in row else None,
            how=row["how"],
        )


def score_alignment_set(staff: Any) -> AlignmentSet:
    """Draw a set of the new candidates' answers and have its scorers do a part of the sheets."""
    made = draw_alignment_set(
        actor=staff,
        spec=SampleSpec(quota=1, seed=SEED, domains=DOMAINS, candidates=tuple(HOUSES)),
    )
    said = read_file("results/sheets.json")
    for domain, number in SUBMITTED.items():
        for place, sheet in enumerate(_sheets(made, domain)):
            if place > number:
                break
            reasons = said[sheet.response.task.key][sheet.response.candidate.name]
            score(sheet, reasons, whole=place < number)
    _date(made)
    return made


def _sheets(made: AlignmentSet, domain: str) -> QuerySet[Sheet]:
    """Return the set's sheets in a domain, by candidate."""
    drawn = made.items.filter(domain=domain).values("response")
    sheets = Sheet.objects.filter(response__in=drawn).order_by("response__candidate__name")
    return sheets.select_related("user", "version", "response__task", "response__candidate")


def score(sheet: Sheet, reasons: dict[str, str], *, whole: bool) -> None:
    """Score a sheet as its scorer, line by line; submit it if `whole`.

    Args:
        reasons: position of the unmet lines as the files have them ("c3") -> why.
    """
    assert sheet.version is not None
    for place, line in enumerate(sheet.version.criteria.order_by("position", "id"), start=1):
        if not whole and place > BEGUN:
            return
        why = reasons.get(f"c{place}", "")
        score_line(actor=sheet.user, sheet=sheet, criterion=line.pk, met=not why, rationale=why)
    submit_sheet(actor=sheet.user, sheet=sheet)


def _date(made: AlignmentSet) -> None:
    """Move the draw and the work on its sheets into the past, a day between them."""
    AlignmentSet._base_manager.filter(pk=made.pk).update(created_at=F("created_at") - DRAWN_AGO)
    responses = made.items.values("response")
    sheets = Sheet.objects.filter(response__in=responses)
    sheets.update(opened_at=F("opened_at") - DRAWN_AGO, due_at=F("due_at") - DRAWN_AGO)
    later = DRAWN_AGO - timedelta(days=1)
    for name in ("saved_at", "submitted_at"):
        sheets.filter(**{f"{name}__isnull": False}).update(**{name: F(name) - later})
    notes = TaskEvent._base_manager.filter(data__event="sheet_assigned", data__set=made.pk)
    notes.update(at=F("at") - DRAWN_AGO)


def verify_reports(staff: Any) -> JudgeRun:
    """Judge three reports by JADE, with the sample's documents as what can be looked up."""
    shutil.copytree(FOLDER / "documents", folder_of(SOURCE), dirs_exist_ok=True)
    Responses().run(FOLDER / "results" / "reports.jsonl")
    return judge(staff, "jade", [REPORTS], search=SOURCE)


def judge(staff: Any, method: str, tasks: Sequence[str], *, search: str = "") -> JudgeRun:
    """Run a method over all answers to some tasks of the sample, by the offline rules."""
    token = leases.new_token()
    run = plan_run(
        actor=staff,
        method=method,
        provider="offline",
        model="rules-1",
        concurrency=1,
        task_keys=tasks,
        search=search,
        hold=token,
    )
    work_on_run(run, token=token)
    run.refresh_from_db()
    assert run.state == JudgeRun.State.FINISHED, run.reason
    return run


def publish(staff: Any) -> GoldRelease:
    """Freeze the tasks whose anchors are validated, with their answers, sheets and verdicts."""
    ready = Task.objects.filter(key__in=[script.slug for script in GOLD]).exclude(key=UNDER_WAY)
    keys = sorted(ready.values_list("domain__key", flat=True))
    return release_gold(
        actor=staff,
        spec=DrawSpec(size=len(keys), seed=SEED, quotas=dict.fromkeys(keys, 1)),
        formats=("jsonl", "csv"),
        with_responses=True,
        with_composition=True,
    )

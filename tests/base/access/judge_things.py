"""Objects of judge in the sample programme: runs, sheets, sets, products, editions."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from config.sample import anchors, read_task
from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Origin, Task
from judge.asking.calls.models import Call
from judge.asking.candidates.families import candidate_named
from judge.asking.candidates.models import Candidate, Response
from judge.base.gold_sets.halves import split_in_halves
from judge.base.gold_sets.models import Allocation, GoldDraw, GoldDrawItem, GoldRelease, GoldSplit
from judge.base.gold_sets.task_sets import EVERY_TASK, OPEN
from judge.gold.releases.edition_actions import publish_edition, quarter_of
from judge.gold.releases.editions import Edition
from judge.gold.releases.errata import Erratum, report_erratum
from judge.methods.variants.actions import make_variant, write_prompt
from judge.results.alignment_sets.models import AlignmentSet
from judge.results.difficulty.analyses import ProposalOutcome
from judge.results.leaderboard.open_boards import put_back_on_board, take_off_board
from judge.results.market_fit.actions import set_demand, set_task_price
from judge.results.product_index.actions import add_period, add_product, import_matrix, put_version
from judge.results.product_index.collecting_actions import (
    make_order,
    set_operator,
    skip_cell,
    store_answer,
    take_next,
)
from judge.results.product_index.scores import MATRIX, find_scores
from judge.results.product_index.stored import compute, last_index, waiting_indexes
from judge.results.registry.actions import add_candidate
from judge.results.workshop.actions import plan_experiment
from judge.results.workshop.models import JudgeExperiment
from judge.runs.engine.models import JudgeRun, Verdict
from judge.runs.engine.planning.plan import plan_run
from judge.runs.engine.work import work_on_run
from judge.scoring.anchors.models import Anchor
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.graded_sheets.actions import assign_graded_sheet
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.actions import fill_sheet
from judge.scoring.sheets.models import Sheet
from judge.scoring.sheets.queries import submitted_sheets
from rubrics.versions.actions import import_version
from tests.attached import attach
from tests.scoring.agreement.conftest import Desk


def disputed(people: dict[str, User]) -> Task:
    """A task on one of whose lines two reviewers differ."""
    desk = Desk(people["author"])
    task = desk.task("disputed-margins", Domain.objects.get(key="finance"))
    version = desk.version(task, ["Gives the margin of 2025 as 14.2 %.", "Names its source."])
    desk.round(version, people["author2"], "11")
    desk.round(version, people["scorer"], "10", remark="Which source?")
    return task


def judged() -> tuple[JudgeRun, Call]:
    """A finished run of one response, and its call."""
    run = plan_run(
        actor=None,
        method="one_shot",
        provider="offline",
        model="rules-1",
        task_keys=["finance-equity-bridge"],
    )
    work_on_run(run)
    return run, Call.objects.filter(run=run).latest("pk")


def compared(staff: User) -> JudgeExperiment:
    """A planned experiment of two variants on the responses that experts of the sample scored."""
    scored = submitted_sheets().filter(response__baseline=False, version__isnull=False)
    drawn = AlignmentSet.objects.create(
        seed=2, quota=1, domains=["finance"], candidates=["Cedar 3"], created_by=staff
    )
    for sheet in scored.order_by("pk")[:3]:
        drawn.items.create(response=sheet.response, version=sheet.version, domain="finance")
    prompt = write_prompt(
        actor=staff, instructions="Be strict in $language.", example="Look.", note="Planted prompt."
    )
    rules = {"actor": staff, "provider": "offline", "calls_mode": "per_criterion"}
    return plan_experiment(
        actor=staff,
        alignment_set=drawn,
        first=make_variant(**rules, name="As it is"),
        second=make_variant(**rules, name="Stricter", prompt=prompt),
        measure="agreement",
        question="Planted question of an experiment?",
    )


def published(people: dict[str, User], release: GoldRelease) -> tuple[Edition, Erratum]:
    """An edition of the quarter before this one, and a reader's report on a task of its release."""
    year, quarter = quarter_of(timezone.localdate() - timedelta(days=92))
    edition = publish_edition(actor=people["staff"], year=year, quarter=quarter, release=release)
    erratum = report_erratum(
        actor=people["applicant"],
        release=release.number,
        task=release.items.all()[0].task.key,
        kind="typo",
        text="Planted report of a reader.",
        contact="planted-contact",
    )
    return edition, erratum


def enter_market(staff: User, candidate: Candidate) -> None:
    """A price per task, and demand."""
    finance = Domain.objects.get(key="finance")
    source = {"actor": staff, "domain": finance, "source": "Planted source of a price."}
    set_task_price(**source, candidate=candidate, usd=Decimal("2.50"))
    set_demand(**source, points=[(Decimal(60), Decimal(20))], human_score=Decimal(80))


def off_for_a_while(staff: User, candidate: Candidate) -> None:
    """A candidate that was off the open board, and is on it again."""
    take_off_board(actor=staff, candidate=candidate, reason="Planted reason off the board.")
    put_back_on_board(actor=staff, candidate=candidate, reason="It was a mistake.")


def keep_a_line(staff: User, verdict: Verdict) -> None:
    """Staff kept a line that the analysis of lines proposed to look at."""
    ProposalOutcome.objects.create(
        task=verdict.judgment.response.task,
        criterion=verdict.criterion,
        concern="always_met",
        outcome="kept",
        reason="Planted reason to keep a line.",
        evidence={},
        by=staff,
    )


def finish_scoring(*, data_of: str) -> None:
    """Submit the sheet that the sample leaves half done."""
    anchor = Anchor.objects.select_related("task").get(task__key=data_of)
    data = read_task(data_of)
    sheet = Sheet.objects.get(response=anchor.response_id)
    fill_sheet(
        actor=sheet.user,
        sheet=sheet,
        verdicts=anchors.verdicts_by_key(anchor.task, data, data["anchor"]),
    )


def open_sheet_of(scorer: User) -> Sheet:
    """An open sheet on a response of another benchmark."""
    domain = Domain.objects.create(key="elsewhere", name="Elsewhere", external=True)
    task = Task.objects.create(
        key="elsewhere-1", origin=Origin.EXTERNAL, domain=domain, stage=Stage.APPROVED
    )
    line = {"text": "Names x.", "importance": "important", "weight": 5, "dimension": "accuracy"}
    import_version(task=task, lines=[line, line | {"text": "Names y."}])
    response = Response.objects.create(
        key="elsewhere-r",
        task=task,
        candidate=candidate_named("Cedar 3"),
        text="x",
        source="imported",
    )
    return assign_alignment_sheet(actor=None, response=response, scorer=scorer)


def graded_sheet_of(scorer: User, sheet: Sheet) -> GradedSheet:
    """An open graded sheet on another response to the task of a sheet."""
    other = Response.objects.create(
        key="elsewhere-graded",
        task=sheet.response.task,
        candidate=candidate_named("Larch 4"),
        text="y",
        source="imported",
    )
    return assign_graded_sheet(response=other, scorer=scorer)


def index_computed() -> None:
    """The worker has the index that is shown without a choice, so that pages show figures."""
    for group in (OPEN, f"{MATRIX}Plantedmatrix"):
        scores = find_scores(group, run="")
        if any(cell.score is not None for cell in scores.cells):
            last_index(group=group, run="", reference="", scores=scores)
    for row in waiting_indexes():
        compute(row)


def collecting(staff: User) -> dict[str, tuple[Any, ...]]:
    """A product with two versions, a matrix of scores, and an order of answers by hand.

    Staff have one of its cells, which has a file; one is skipped, and one collected.
    """
    product = add_product(actor=staff, name="Plantedproduct")
    today = timezone.localdate()
    period = add_period(
        actor=staff, key="Plantedperiod", starts_on=today - timedelta(days=9), ends_on=today
    )
    versions = [add_candidate(actor=staff, name=f"Hornbeam {n}") for n in (1, 2)]
    # Tasks without a rubric: nothing that scorers or judges wait for comes with them.
    domain = Domain.objects.create(key="by-hand", name="By hand", external=True, position=99)
    for n in range(4):
        Task.objects.create(
            key=f"by-hand-{n}", title=f"Ask by hand {n}", origin=Origin.EXTERNAL, domain=domain,
            stage=Stage.APPROVED, requirements="Say what it costs.",
        )  # fmt: skip
    for n, one in enumerate(versions):
        put_version(actor=staff, product=product, candidate=one, version=f"v{n}")
        one.refresh_from_db()
    scores = ["task,product,version,period,score"]
    for n, answers in enumerate(("1100", "0110", "1011", "0101")):
        scores += [f"t{m},Hazel,v{n},2026-0{n + 1},{mark}" for m, mark in enumerate(answers)]
    import_matrix(
        actor=staff,
        name="Plantedmatrix",
        content="\n".join(scores).encode(),
        file_name="scores.csv",
        source="A paper",
    )
    order = make_order(
        actor=staff,
        period=period,
        candidates=versions,
        tasks=EVERY_TASK,
        domains=[domain.key],
        note="Planted note to operators",
    )
    skipped = take_next(actor=staff)
    skip_cell(actor=staff, cell=skipped, reason="other", remark="Planted remark of an operator")
    done = take_next(actor=staff)
    store_answer(
        actor=staff,
        cell=done,
        text="An answer that was pasted.",
        asked_on=today,
        account="Planted account of an operator",
        text_version=done.task.version,
    )
    Response.objects.create(
        key="by-hand-imported", task=done.task, candidate=versions[1], text="x", source="imported"
    )  # of the period's days, and in no period
    taken = take_next(actor=staff)
    file = attach(taken.task, "annex.csv", b"a,b\n1,2\n")
    operator = User.objects.create_user("operator@example.test", display_name="Ola")
    set_operator(actor=staff, person=operator, operator=True, reason="Knows these products.")
    return {
        "product": (product.pk,),
        "product_version": (product.pk, versions[0].pk),
        "period": (period.pk,),
        "collection_order": (order.pk,),
        "taken_cell": (taken.pk,),
        "taken_cell_file": (taken.pk, file.pk),
        "skipped_cell": (skipped.pk,),
        "operator": (operator.pk,),
    }


def alignment_set(staff: User, sheet: Sheet) -> AlignmentSet:
    """A set that holds the response of this sheet."""
    assert sheet.version is not None
    made = AlignmentSet.objects.create(
        seed=1, quota=1, domains=["elsewhere"], candidates=["Cedar 3"], created_by=staff
    )
    made.items.create(response=sheet.response, version=sheet.version, domain="elsewhere")
    return made


def split_draw(staff: User) -> GoldSplit:
    """A draw of two approved tasks, one of them held out; the judged task is in neither half."""
    tasks = Task.objects.filter(stage=Stage.APPROVED, origin=Origin.OWN)
    two = tasks.exclude(key="finance-equity-bridge").order_by("key")[:2]
    draw = GoldDraw.objects.create(size=2, seed=3, allocation=Allocation.EQUAL, created_by=staff)
    GoldDrawItem.objects.bulk_create(GoldDrawItem(draw=draw, task=task) for task in two)
    return split_in_halves(actor=staff, gold_draw=draw, seed=3, percent=50)

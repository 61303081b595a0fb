"""One object of each kind from the sample programme, to try addresses and actions on."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from config.sample import anchors, read_task
from curation.amendments.actions import propose_amendment
from curation.api_tokens.actions import make_token
from curation.applications.models import Application
from curation.attachments.actions import add_attachment
from curation.authoring.versions import keep_submitted_text
from curation.business.actions import check_deidentified
from curation.business.models import Deidentification
from curation.domains.models import Domain
from curation.exams.actions import start_sitting
from curation.exams.models import SittingQuestion
from curation.invitations.actions import invite_vendor
from curation.invitations.links import token_of
from curation.notices.models import Notice
from curation.notices.queries import unsubscribe_token
from curation.people.models import User
from curation.process.lifecycle import Stage
from curation.reverification.actions import ask_for_reverification, take_reverification
from curation.reverification.models import Reverification
from curation.tasks.models import AnswerForm, Origin, Task
from curation.trials.models import Trial
from curation.work_map.models import WorkType
from judge.alignment_sets.models import AlignmentSet
from judge.anchors.models import Anchor, MetaEvaluation
from judge.assignments.actions import assign_alignment_sheet
from judge.calls.models import Call
from judge.candidates.families import candidate_named
from judge.candidates.models import Candidate, Response
from judge.collecting.actions import (
    make_order,
    set_operator,
    skip_cell,
    store_answer,
    take_next,
)
from judge.editions.actions import publish_edition, quarter_of
from judge.editions.models import Edition
from judge.endpoints.actions import add_endpoint, add_model
from judge.engine.models import JudgeRun, Verdict
from judge.engine.planning.plan import plan_run
from judge.engine.work import work_on_run
from judge.errata.actions import report_erratum
from judge.errata.models import Erratum
from judge.flags.actions import flag_verdict
from judge.flags.models import VerdictFlag
from judge.gold_sets.halves import split_in_halves
from judge.gold_sets.models import Allocation, GoldDraw, GoldDrawItem, GoldRelease, GoldSplit
from judge.gold_sets.task_sets import EVERY_TASK
from judge.graded_sheets.actions import assign_graded_sheet
from judge.graded_sheets.models import GradedSheet
from judge.market_fit.actions import set_demand, set_task_price
from judge.meta_evaluation.actions import take_meta
from judge.open_board.actions import put_back_on_board, take_off_board
from judge.product_index.actions import add_period, add_product, import_matrix, put_version
from judge.profiles.actions import add_pool, set_outcome, set_selection
from judge.profiles.import_profiles import import_profiles
from judge.profiles.models import ProfilePool
from judge.registry.actions import add_candidate, order_responses
from judge.releases.draw import DrawSpec
from judge.releases.release import release_gold
from judge.sheets.actions import fill_sheet
from judge.sheets.models import Sheet
from judge.sheets.queries import submitted_sheets
from judge.task_analysis.models import ProposalOutcome
from judge.variants.actions import make_variant, write_prompt
from judge.workshop.actions import plan_experiment
from judge.workshop.models import JudgeExperiment
from review.assignment.models import Review
from review.conflicts.actions import (
    answer_conflict,
    declare_conflict,
    link_declaration,
    propose_conflict,
)
from review.spot_checks.actions import take_spot_check
from rubrics.lines.actions import edit_line
from rubrics.versions.actions import import_version
from rubrics.versions.models import Criterion, LineChange, RubricVersion
from tests import documents
from tests.access.exact_things import exact_things
from tests.access.skill_things import skill_things
from tests.agreement.conftest import Desk
from tests.attached import attach
from tests.business.conftest import TICKED, collected
from tests.work_map.conftest import new_work_type


def a_selection(task: Task) -> ProfilePool:
    """Make a draft ask for profiles of a new pool, of which one was really chosen."""
    Task.objects.filter(pk=task.pk).update(answer_form=AnswerForm.SELECTION)
    task.refresh_from_db()
    pool = add_pool(actor=None, key="creators", name="Creators")
    table = b"key,name,link\nann,Ann,https://video.example/@ann\nben,Plantedchoice,\n"
    import_profiles(actor=None, pool=pool, data=table, file="creators.csv")
    set_selection(actor=None, task=task, pool=pool, number=2, what="creators")
    set_outcome(actor=None, task=task, chosen=["ben"], reason="The client's list.")
    return pool


def things(people: dict[str, User]) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses, by the name the matrix uses."""
    draft = Task.objects.get(key="finance-receivables-sale")
    suspect = Task.objects.get(key="education-ratio-misconception-lesson")
    refining = Task.objects.get(key="law-germany-redundancies")
    in_review = Task.objects.get(key="finance-fx-hedge-policy")
    pool = a_selection(draft)
    version = RubricVersion.objects.get(task=refining, frozen_at__isnull=True)
    line = version.criteria.order_by("position").first()
    review = Review.objects.get(task=in_review)
    reviewed_line = review.rounds.get().version.criteria.order_by("position").last()
    application = Application.objects.get(user=people["applicant"])
    sitting = start_sitting(actor=people["applicant"], application=application)
    audited = Task.objects.get(stage=Stage.SPOT_CHECK)
    edit_line(actor=people["author"], task=refining, criterion=line, revision=None, weight=3)
    run, call = judged()
    family = {"kind": "family", "name": "A cousin"}
    declaration = declare_conflict(actor=people["author"], **family)
    met = declare_conflict(actor=people["author2"], **family)
    declared = link_declaration(actor=people["staff"], declaration=met, other=people["reviewer"])
    doubtful = propose_conflict(
        actor=people["staff"], person=people["author2"], other=people["applicant"], kind="business"
    )
    answer_conflict(
        actor=people["applicant"], conflict=doubtful, agrees=False, reason="We never met."
    )
    verdict = Verdict.objects.filter(judgment__items__run=run, outcome="met")[0]
    flag = flag_verdict(actor=people["staff"], verdict=verdict, reason="Its table says more.")
    amendment = propose_amendment(
        actor=people["author"],
        task=refining,
        version=refining.version,
        reason="The date of the notice is wrong.",
        parts={"requirements": f"{refining.requirements} Give the date of the notice."},
    )
    by_hand = collecting(people["staff"])
    finish_scoring(data_of=anchors.UNDER_WAY)
    anchor = Anchor.objects.get(task__key=anchors.UNDER_WAY)
    take_meta(actor=people["senior"], anchor=anchor)
    sheet = open_sheet_of(people["scorer"])
    graded = graded_sheet_of(people["scorer"], sheet)
    release = release_gold(actor=people["staff"], spec=DrawSpec(size=3, seed=1))
    known = {"provider": "offline", "model": "rules-1"}
    candidate = add_candidate(actor=people["staff"], name="Larch mini 3", **known)
    experiment = compared(people["staff"])
    edition, erratum = published(people, release)
    enter_market(people["staff"], verdict.judgment.response.candidate)
    off_for_a_while(people["staff"], candidate)
    keep_a_line(people["staff"], verdict)
    generation = order_responses(actor=people["staff"], candidate=candidate, domains=["law"])
    endpoint = add_endpoint(
        actor=people["staff"],
        name="acme",
        label="Acme",
        protocol="openai",
        address="https://models.example.test/v1",
        key_variable="ACME_API_KEY",  # not set: nothing is ever called
    )
    served = add_model(actor=people["staff"], provider="acme", model="larch-4", effort=True)
    address = EmailAddress.objects.create(user=people["applicant"], email="new@example.test")
    assert sheet.version is not None
    cell = sheet.version.criteria.order_by("position").last()
    assert cell is not None
    trial = Trial.objects.get(verdict="", submitted_at__isnull=False)
    applicant = people["applicant"]
    token, _key = make_token(actor=applicant, name="nightly export")
    assert line is not None
    assert reviewed_line is not None
    invitation = invite_vendor(actor=people["staff"], vendor="Kestrel Staffing", max_uses=5)
    file = add_attachment(
        actor=draft.author, thing=draft, upload=SimpleUploadedFile("annex.txt", b"Cash flows.")
    )
    picture = add_attachment(
        actor=draft.author, thing=draft, upload=SimpleUploadedFile("plan.png", documents.picture())
    )
    work_type, collected, deidentification = from_business(people["staff"])
    open_request, taken_request = dynamic_answers(people)
    short_text = SittingQuestion.objects.get(points=None, sitting__submitted_at__isnull=False)
    return {
        "short_text": (short_text.pk,),
        "training_unit": ("task",),
        "exam_of": ("finance",),
        "work_type": (work_type.pk,),
        "collected": (collected.pk,),
        "deidentification": (deidentification.pk,),
        "reverification": (open_request.pk,),
        "reverification_taken": (taken_request.pk,),
        "question": (short_text.question_id,),
        "attachment": (file.pk,),
        "attachment_page": (picture.pk, 1),
        "draft_file": (draft.pk, file.pk),
        "draft_holder": ("task", draft.pk),
        "certification": (application.certifications.order_by("pk")[0].pk,),
        "invitation": (invitation.pk,),
        "invitation_link": (token_of(invitation),),
        "api_token": (token.pk,),
        "persons_api_token": (applicant.pk, token.pk),
        "passkey": (1,),  # nobody has one: whose it is is asked after the password
        "draft": (draft.pk,),
        "pool": (pool.pk,),
        "kept_text": (draft.pk, keep_submitted_text(draft).number),
        "refining": (refining.pk,),
        "refining_csv": (refining.pk, "csv"),
        "refining_line": (refining.pk, line.pk),
        "refining_change": (refining.pk, LineChange.objects.latest("pk").pk),
        "in_review": (in_review.pk,),
        "review": (review.pk,),
        "review_line": (review.pk, reviewed_line.pk),
        "screening": (Task.objects.get(key="education-inclusive-reading-plan").pk,),
        "suspect": (suspect.pk,),
        "held_place": (suspect.panel_places.get(member=people["scorer"]).pk,),
        "domain_key": (suspect.domain.key,),
        "screened": (Task.objects.get(key="law-lease-break").pk,),
        "spot_check": (audited.pk,),
        "spot_check_taken": (take_spot_check(actor=people["senior"], task=audited).pk,),
        "alignment_set": (alignment_set(people["staff"], sheet).pk,),
        "candidate": (generation.candidate_id,),
        "generation": (generation.pk,),
        "endpoint": (endpoint.name,),
        "served_model": (served.pk,),
        "model_parameters": (served.pk, "judge"),
        "response": (sheet.response_id,),
        "anchor": (anchor.pk,),
        "graded_sheet": (graded.pk,),
        "sheet": (sheet.pk,),
        "submitted_sheet": (Sheet.objects.filter(state="submitted").latest("pk").pk,),
        "check": (MetaEvaluation.objects.get(verdict="").pk,),
        "sheet_line": (sheet.pk, cell.pk),
        "sheet_line_key": (sheet.pk, cell.key),
        "meta": (anchor.pk,),
        "run": (run.pk,),
        "declaration": (declaration.pk,),
        "declared_conflict": (declared.pk,),
        "judged_response": (verdict.judgment.response_id,),
        "flag": (flag.pk,),
        "analysed": (verdict.judgment.response.task_id,),
        "judge_prompt": (experiment.second.prompt.number,),
        "variant": (experiment.second_id,),
        "experiment": (experiment.pk,),
        "call": (call.pk,),
        **by_hand,
        "release": (release.number,),
        "edition": (edition.key,),
        "erratum": (erratum.pk,),
        "market": ("finance",),
        "table_kind": ("md",),
        "release_file": (release.number, "manifest-json"),
        "gold_draw": (GoldDraw.objects.earliest("pk").pk,),
        "gold_split": (split_draw(people["staff"]).pk,),
        "amendment": (amendment.pk,),
        "rejected": (Task.objects.filter(stage=Stage.REJECTED)[0].pk,),
        "approved": (Task.objects.get(key="law-lease-break").pk,),
        "disputed": (disputed(people).pk,),
        "application": (application.pk,),
        "sitting": (sitting.pk,),
        "trial": (trial.pk,),
        "person": (applicant.pk,),
        "notice": (Notice.objects.filter(recipient=applicant).latest("pk").pk,),
        "unsubscribe_token": (unsubscribe_token(applicant),),
        "mail_key": (EmailConfirmationHMAC(address).key,),
        "reset_key": (user_pk_to_url_str(applicant), default_token_generator.make_token(applicant)),
        **exact_things(people),
        **skill_things(people, in_review),
    }


def from_business(staff: User) -> tuple[WorkType, Task, Deidentification]:
    """A work type, and a task from business that a colleague of staff has gone through."""
    finance = Domain.objects.get(key="finance")
    category = finance.categories.order_by("name")[0]  # the first one in lists of choices
    work_type = new_work_type(
        staff, category, "Planted work type", share=30, feasible=True, evaluable=True
    )
    colleague = User.objects.create_user("second.staff@example.test", is_staff=True)
    task = collected(staff, finance, title="Planted collected task")
    check = check_deidentified(actor=colleague, task=task, version=task.version, **TICKED)
    return work_type, task, check


def dynamic_answers(people: dict[str, User]) -> tuple[Reverification, Reverification]:
    """An open request to verify a dynamic answer again, and one that an expert took."""
    rows = []
    keys = ("law-germany-redundancies", "finance-equity-bridge")
    dynamic = Task.objects.filter(key__in=[*keys, "law-lease-break"])
    dynamic.update(change="dynamic", valid_until=date(2030, 1, 31))
    for key in keys:
        task = Task.objects.get(key=key)
        reason = "Planted reason to verify an answer again."
        rows.append(ask_for_reverification(actor=people["staff"], task=task, reason=reason))
    take_reverification(actor=people["scorer"], row=rows[1])
    return rows[0], rows[1]


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


def bodies() -> dict[str, dict[str, Any]]:
    """Forms for the addresses that find their object through what is sent."""
    refining = Task.objects.get(key="law-germany-redundancies")
    drafted = Criterion.objects.filter(version__task=refining, version__origin="draft").last()
    line = Criterion.objects.filter(version__task=refining, version__frozen_at__isnull=True).first()
    flagged = VerdictFlag.objects.latest("pk").verdict
    unflagged = flagged.judgment.verdicts.exclude(pk=flagged.pk)[0]
    assert drafted is not None
    assert line is not None
    return {
        "flag": {"verdict": unflagged.pk, "reason": "The margin is given."},
        "drafted_line": {"bring_back": drafted.pk},
        "sign_out_elsewhere": {"end": "others"},
        "reply": {"key": line.key, "comment": "Done as asked."},
    }

"""One object of each kind from the sample programme, to try addresses and actions on."""

from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.core.files.uploadedfile import SimpleUploadedFile

from config.sample import anchors, read_task
from curation.amendments.actions import propose_amendment
from curation.api_tokens.actions import make_token
from curation.applications.models import Application
from curation.attachments.actions import add_attachment
from curation.authoring.versions import keep_submitted_text
from curation.domains.models import Domain
from curation.exams.actions import start_sitting
from curation.exams.models import SittingQuestion
from curation.invitations.actions import invite_vendor
from curation.invitations.links import token_of
from curation.notices.models import Notice
from curation.notices.queries import unsubscribe_token
from curation.people.models import User
from curation.process.lifecycle import Stage
from curation.tasks.models import Origin, Task
from curation.trials.models import Trial
from judge.alignment_sets.models import AlignmentSet
from judge.anchors.models import Anchor, MetaEvaluation
from judge.assignments.actions import assign_alignment_sheet
from judge.calls.models import Call
from judge.candidates.families import candidate_named
from judge.candidates.models import Response
from judge.endpoints.actions import add_endpoint, add_model
from judge.engine.models import JudgeRun, Verdict
from judge.engine.planning.plan import plan_run
from judge.engine.work import work_on_run
from judge.flags.actions import flag_verdict
from judge.flags.models import VerdictFlag
from judge.gold_sets.halves import split_in_halves
from judge.gold_sets.models import Allocation, GoldDraw, GoldDrawItem, GoldSplit
from judge.meta_evaluation.actions import take_meta
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
from tests.agreement.conftest import Desk


def things(people: dict[str, User]) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses, by the name the matrix uses."""
    draft = Task.objects.get(key="finance-receivables-sale")
    suspect = Task.objects.get(key="education-ratio-misconception-lesson")
    refining = Task.objects.get(key="law-germany-redundancies")
    in_review = Task.objects.get(key="finance-fx-hedge-policy")
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
    finish_scoring(data_of=anchors.UNDER_WAY)
    anchor = Anchor.objects.get(task__key=anchors.UNDER_WAY)
    take_meta(actor=people["senior"], anchor=anchor)
    sheet = open_sheet_of(people["scorer"])
    release = release_gold(actor=people["staff"], spec=DrawSpec(size=3, seed=1))
    known = {"provider": "offline", "model": "rules-1"}
    candidate = add_candidate(actor=people["staff"], name="Larch mini 3", **known)
    experiment = compared(people["staff"])
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
    short_text = SittingQuestion.objects.get(points=None, sitting__submitted_at__isnull=False)
    return {
        "short_text": (short_text.pk,),
        "training_unit": ("task",),
        "exam_of": ("finance",),
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
        "release": (release.number,),
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
    }


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
        method=JudgeRun.Method.ONE_SHOT,
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

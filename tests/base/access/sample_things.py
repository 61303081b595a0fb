"""One object of each kind from the sample programme, to try addresses and actions on."""

from datetime import date
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.core.files.uploadedfile import SimpleUploadedFile

from config.sample import anchors
from curation.base.lists.actions import save_view
from curation.base.lists.models import SavedView
from curation.base.process.lifecycle import Stage
from curation.joining.accounts.api_tokens import make_token
from curation.joining.domains.models import Domain
from curation.joining.invitations.actions import invite_vendor
from curation.joining.invitations.links import token_of
from curation.joining.notices.models import Notice
from curation.joining.notices.queries import unsubscribe_token
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.actions import start_sitting
from curation.qualifying.exams.models import SittingQuestion
from curation.qualifying.trials.models import Trial
from curation.tasks.amendments.actions import propose_amendment
from curation.tasks.attachments.actions import add_attachment
from curation.tasks.authoring.versions import keep_submitted_text
from curation.tasks.business.actions import check_deidentified
from curation.tasks.business.models import Deidentification
from curation.tasks.business.reverification_actions import (
    ask_for_reverification,
    take_reverification,
)
from curation.tasks.business.reverification_models import Reverification
from curation.tasks.task.models import AnswerForm, Task
from curation.tasks.work_map.models import WorkType
from judge.asking.candidates.models import Response
from judge.asking.endpoints.actions import add_endpoint, add_model
from judge.base.gold_sets.models import GoldDraw
from judge.base.queue.models import MachineWork
from judge.base.queue.send import CODES
from judge.gold.releases.draw import DrawSpec
from judge.gold.releases.release import release_gold
from judge.methods.profiles.actions import add_pool, set_outcome, set_selection
from judge.methods.profiles.import_profiles import import_profiles
from judge.methods.profiles.models import ProfilePool
from judge.results.flags.error_code_models import CodeRequest
from judge.results.flags.flags import VerdictFlag, flag_verdict
from judge.results.registry.actions import add_candidate, order_responses
from judge.runs.engine.models import Verdict
from judge.scoring.agreement.meta_actions import take_meta
from judge.scoring.anchors.models import Anchor, MetaEvaluation
from judge.scoring.sheets.models import Sheet
from review.conflicts.actions import (
    answer_conflict,
    declare_conflict,
    link_declaration,
    propose_conflict,
)
from review.rounds.assignment_models import Review
from review.spot_checks.actions import take_spot_check
from rubrics.lines.actions import edit_line
from rubrics.versions.models import Criterion, LineChange, RubricVersion
from tests import documents
from tests.base.access.checklist_things import checklist_things
from tests.base.access.error_code_things import error_code_things
from tests.base.access.exact_things import exact_things
from tests.base.access.honoraria_things import honoraria_things
from tests.base.access.import_things import import_things
from tests.base.access.judge_things import (
    alignment_set,
    collecting,
    compared,
    disputed,
    enter_market,
    finish_scoring,
    graded_sheet_of,
    index_computed,
    judged,
    keep_a_line,
    off_for_a_while,
    open_sheet_of,
    published,
    split_draw,
)
from tests.base.access.overrule_things import overrule_body, overrule_things
from tests.base.access.practice_things import practice_things
from tests.base.access.skill_things import skill_things
from tests.base.access.talk_things import talk_things
from tests.tasks.business.conftest import TICKED, collected
from tests.tasks.work_map.conftest import new_work_type


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


def late_tasks(staff: User) -> SavedView:
    """A view that a member of staff keeps."""
    return save_view(actor=staff, name="Planted view", query="days=14", list_name="tasks")


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
    index_computed()
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
        "member": (User.objects.get(email="observer@example.test").pk,),
        "failed_work": (
            MachineWork.objects.create(
                kind=CODES,
                object_id=CodeRequest.objects.create(
                    response=Response.objects.latest("pk"), asked_by=people["staff"]
                ).pk,
                attempts=2,
                problem="Planted problem of a job.",
            ).pk,
        ),
        "list": ("tasks",),
        "list_step": ("applications", "admit"),
        "saved_view": (late_tasks(people["staff"]).pk,),
        "notice": (Notice.objects.filter(recipient=applicant).latest("pk").pk,),
        "unsubscribe_token": (unsubscribe_token(applicant),),
        "mail_key": (EmailConfirmationHMAC(address).key,),
        "reset_key": (user_pk_to_url_str(applicant), default_token_generator.make_token(applicant)),
        **practice_things(people),
        **exact_things(people),
        **error_code_things(people, flag.response),
        **import_things(people),
        **skill_things(people, in_review),
        **talk_things(people, in_review),
        **checklist_things(people, in_review, Task.objects.get(key="finance-equity-bridge")),
        **overrule_things(people, "finance-equity-bridge"),
        **honoraria_things(people),
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
        "overrule": overrule_body(),
        "drafted_line": {"bring_back": drafted.pk},
        "sign_out_elsewhere": {"end": "others"},
        "reply": {"key": line.key, "comment": "Done as asked."},
    }

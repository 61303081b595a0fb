"""The people of the sample programme, its domains and its exams."""

from datetime import timedelta
from typing import Any

from django.core.files.base import ContentFile
from django.db.models import F

from config.sample import FOLDER, read_file
from config.sample.documents import one_page_pdf
from curation.base.access.duties import Duty, columns_of
from curation.joining.accounts import terms
from curation.joining.domains.models import Category, Domain
from curation.joining.invitations.actions import (
    invite_person,
    invite_vendor,
    record_arrival,
    renew_referral,
    use_invitation,
)
from curation.joining.people import Qualification, User, confirm_address
from curation.qualifying.applications.actions import add_evidence, agree, apply
from curation.qualifying.exams.actions import hand_in, save_answers, start_sitting
from curation.qualifying.exams.bank_models import BlueprintRow, Exam, Question
from curation.qualifying.exams.grading_actions import mark_answer
from curation.qualifying.exams.models import ExamSitting
from curation.qualifying.qualification.actions import admit
from curation.qualifying.training import units
from curation.qualifying.training.actions import answer_unit
from curation.qualifying.training.models import TrainingUnitPass
from curation.qualifying.trials.actions import decide_trial, hand_in_trial, save_trial
from curation.qualifying.trials.models import Trial

TRIAL_PARTS = ("title", "scenario", "materials", "requirements", "reference_answer")


def load_domains() -> None:
    """Create the seven domains and their categories."""
    for position, row in enumerate(read_file("domains.json"), start=1):
        domain = Domain.objects.create(
            key=row["key"], name=row["en"], name_zh=row["zh"], position=position
        )
        Category.objects.bulk_create(
            Category(domain=domain, key=c["key"], name=c["en"], name_zh=c["zh"])
            for c in row["categories"]
        )


def load_exams(folder: str = "exams") -> None:
    """Create the exams of a folder, one file per domain."""
    for path in sorted((FOLDER / folder).glob("*.json")):
        row = read_file(f"{folder}/{path.name}")
        exam = Exam.objects.create(
            domain=Domain.objects.get(key=row["domain"]),
            title=row["title"]["en"],
            title_zh=row["title"]["zh"],
            minutes=row["minutes"],
            pass_percent=row["pass_percent"],
            attempts=row["attempts"],
            wait_hours=row["wait_hours"],
        )
        BlueprintRow.objects.bulk_create(
            BlueprintRow(exam=exam, topic=topic, count=count)
            for topic, count in row["blueprint"].items()
        )
        Question.objects.bulk_create(
            Question(
                exam=exam,
                key_id=q["id"],
                position=n,
                kind=q["kind"],
                topic=q["topic"],
                difficulty=q["difficulty"],
                text=q["text"],
                options=q.get("options", []),
                unit=q.get("unit", ""),
                key=q["key"],
                points=q["points"],
                study=q["study"],
            )
            for n, q in enumerate(row["questions"], start=1)
        )


def load_people(password: str) -> dict[str, User]:
    """Create everybody; return them by the local part of their e-mail address.

    The founding experts of a programme cannot have been examined by it, so their qualifications are
    entered directly. Applicants go through the real actions.
    """
    people: dict[str, User] = {}
    rows = read_file("people.json")
    hashed = User(email="x")
    hashed.set_password(password)
    for row in rows:
        people[row["email"].split("@")[0]] = make_person(row, hashed.password)
    for row in rows:
        if row["applicant_in"]:
            application = send_application(people[row["email"].split("@")[0]], row)
            if row.get("admitted", True):
                admit(actor=people["staff"], application=application)
    return people


def make_person(row: dict[str, Any], password: str) -> User:
    """Create a person of a file, qualified and trained in the domains that the file names.

    Args:
        password: hashed.
    """
    user = User.objects.create(
        email=row["email"],
        password=password,
        display_name=row["display_name"],
        affiliation=row["affiliation"],
        language="zh-hans" if row["language"] == "zh" else "en",
        is_staff=row["staff"],
        **columns_of(row.get("duties", Duty if row["staff"] else ())),
    )
    confirm_address(user)
    for key in row["domains"]:
        Qualification.objects.create(
            user=user, domain=Domain.objects.get(key=key), senior=key in row["senior_in"]
        )
    TrainingUnitPass.objects.bulk_create(
        TrainingUnitPass(user=user, edition=units.current_edition(), unit=unit)
        for unit in units.unit_keys()
        if row["domains"]
    )
    if row["domains"]:
        agree(actor=user, version=terms.current_version())
    return user


def send_application(user: User, row: dict[str, Any]) -> Any:
    """Send the application of a person of the file, with its evidence."""
    application = apply(
        actor=user,
        domain=Domain.objects.get(key=row["applicant_in"]),
        affiliation=row["affiliation"],
        degree=row["degree"],
        years=row["years"],
        credentials=row["credentials"],
        languages=row.get("languages", ["en"]),
        terms_version=terms.current_version(),
        certifications=[
            {"title": c["title"], "issuer": c["issuer"], "year": c["year"]}
            for c in row.get("certifications", [])
        ],
    )
    for entry, named in zip(
        row.get("certifications", []), application.certifications.all(), strict=True
    ):
        if "evidence" in entry:
            file = ContentFile(one_page_pdf(entry["evidence"]), name="certificate.pdf")
            add_evidence(actor=user, certification=named, upload=file)
    return application


def sit_exam(user: User, application: Any) -> ExamSitting:
    """Hand in an exam with every answer right and the short texts of the file."""
    texts = read_file("short_answers.json")
    sitting = start_sitting(actor=user, application=application)
    answers, seconds = {}, {}
    for row in sitting.paper.select_related("question"):
        question = row.question
        if question.kind == Question.Kind.NUMERIC:
            answers[question.key_id] = question.key["value"]
        elif question.kind == Question.Kind.SHORT:
            answers[question.key_id] = texts[application.domain.key][question.key_id]
        else:
            answers[question.key_id] = question.key
        seconds[question.key_id] = 40 + 35 * question.points
    ExamSitting.objects.filter(pk=sitting.pk).update(
        started_at=F("started_at") - timedelta(minutes=20)  # a realistic duration
    )
    save_answers(actor=user, sitting=sitting, answers=answers, seconds=seconds)
    return hand_in(actor=user, sitting=sitting)


def walk_to_trial(user: User, row: dict[str, Any], staff: User) -> Any:
    """Take an applicant through the exam and the training, up to the trial task."""
    application = send_application(user, row)
    admit(actor=staff, application=application)
    sitting = sit_exam(user, application)
    seniors = User.objects.filter(
        qualifications__domain=application.domain, qualifications__senior=True
    )
    senior = seniors.earliest("pk")
    for answer in sitting.paper.filter(points=None).select_related(
        "question", "sitting__application"
    ):
        mark_answer(actor=senior, answer=answer, points=answer.question.points, remark="")
    application.refresh_from_db()
    for unit in units.unit_keys():
        answer_unit(actor=user, unit=unit, answers=units.answer_key(unit))
    application.refresh_from_db()
    return application


def load_trials(people: dict[str, User], password: str) -> None:
    """Add three applicants in finance: one accepted, one with a trial and one with an exam to mark.

    Also adds a vendor's link, an open invitation and a referral link.
    """
    trials = read_file("trials.json")
    staff = people["staff"]
    vendor = invite_vendor(actor=staff, vendor="Kestrel Staffing", max_uses=20, days=60)
    invite_person(actor=staff, email="invited.law@example.test", name="Ingrid Solheim")
    renew_referral(actor=people["author"])
    for name, display, outcome in (
        ("newcomer.finance", "Renske Aalbers", "accepted"),
        ("trainee.finance", "Kwabena Osei-Mensah", "pending"),
    ):
        user = User.objects.create_user(
            f"{name}@example.test",
            password,
            display_name=display,
            affiliation="",
        )
        people[name] = user
        confirm_address(user)
        if outcome == "pending":
            use_invitation(vendor)
            record_arrival(invitation=vendor, user=user)
        row = {
            "applicant_in": "finance",
            "affiliation": "Kade & Sluis Vermogensbeheer"
            if outcome == "accepted"
            else "Volta Delta Savings and Loans",
            "degree": "MSc Finance",
            "years": 6,
            "credentials": "Chartered accountant; six years in credit and asset-based lending.",
            "certifications": [
                {"title": "Chartered accountant", "issuer": "Accountants' Guild", "year": 2019}
            ],
        }
        application = walk_to_trial(user, row, people["staff"])
        trial = Trial.objects.get(application=application)
        parts = {part: trials[outcome][part] for part in TRIAL_PARTS}
        facts = {"minutes": 90, "rate_band": "100_200", "change": "static"}
        category = application.domain.categories.first()
        trial = save_trial(
            actor=user, trial=trial, version=trial.version, category=category, **parts, **facts
        )
        hand_in_trial(actor=user, trial=trial)
        if outcome == "accepted":
            decide_trial(
                actor=people["senior"],
                trial=trial,
                verdict=Trial.Verdict.ACCEPTED,
                remarks=trials[outcome]["remarks"],
            )
    waiting = User.objects.create_user(
        "candidate.finance@example.test", password, display_name="Lindiwe Maseko", affiliation=""
    )
    confirm_address(waiting)
    application = send_application(
        waiting,
        {
            "applicant_in": "finance",
            "affiliation": "Umgeni Development Bank",
            "degree": "BCom Accounting; CA(SA)",
            "years": 8,
            "credentials": "Eight years in project and municipal lending.",
        },
    )
    admit(actor=people["staff"], application=application)
    sit_exam(waiting, application)

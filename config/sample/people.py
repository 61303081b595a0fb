"""The people of the sample programme, its domains and its exams."""

from typing import Any

from config.sample import FOLDER, read
from curation.actions.exams import hand_in, save_answers, start_sitting
from curation.actions.qualification import admit, apply, finish_training
from curation.actions.trials import decide_trial, hand_in_trial, save_trial
from curation.models import Category, Domain, Exam, Qualification, Question, Trial, User
from curation.training import answer_key, current_version

TRIAL_PARTS = ("title", "scenario", "materials", "requirements", "reference_answer")


def load_domains() -> None:
    """The seven professions and their categories."""
    for position, row in enumerate(read("domains.json"), start=1):
        domain = Domain.objects.create(
            key=row["key"], name=row["en"], name_zh=row["zh"], position=position
        )
        Category.objects.bulk_create(
            Category(domain=domain, key=c["key"], name=c["en"], name_zh=c["zh"])
            for c in row["categories"]
        )


def load_exams() -> None:
    """The exams, one file per domain."""
    for path in sorted((FOLDER / "exams").glob("*.json")):
        row = read(f"exams/{path.name}")
        exam = Exam.objects.create(
            domain=Domain.objects.get(key=row["domain"]),
            title=row["title"]["en"],
            title_zh=row["title"]["zh"],
            minutes=row["minutes"],
            pass_percent=row["pass_percent"],
        )
        Question.objects.bulk_create(
            Question(
                exam=exam,
                key_id=q["id"],
                position=n,
                kind=q["kind"],
                topic=q["topic"],
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
    """Everybody, by the part of the address before the @. Founding experts come qualified.

    The founding members of a programme cannot have been examined by it: their qualification is
    entered by hand, as staff would. The applicants walk the real way.
    """
    people: dict[str, User] = {}
    rows = read("people.json")
    hashed = User(email="x")
    hashed.set_password(password)
    for row in rows:
        user = User.objects.create(
            email=row["email"],
            password=hashed.password,
            display_name=row["display_name"],
            affiliation=row["affiliation"],
            language="zh-hans" if row["language"] == "zh" else "en",
            is_staff=row["staff"],
        )
        people[row["email"].split("@")[0]] = user
        for key in row["domains"]:
            Qualification.objects.create(
                user=user, domain=Domain.objects.get(key=key), senior=key in row["senior_in"]
            )
    for row in rows:
        if row["applicant_in"]:
            application = send_application(people[row["email"].split("@")[0]], row)
            admit(actor=people["staff"], application=application)
    return people


def send_application(user: User, row: dict[str, Any]) -> Any:
    """The application of one person of the file."""
    return apply(
        actor=user,
        domain=Domain.objects.get(key=row["applicant_in"]),
        affiliation=row["affiliation"],
        degree=row["degree"],
        years=row["years"],
        credentials=row["credentials"],
    )


def walk_to_trial(user: User, row: dict[str, Any], staff: User) -> Any:
    """An applicant who passes the exam and the training, up to the trial task."""
    application = send_application(user, row)
    admit(actor=staff, application=application)
    sitting = start_sitting(actor=user, application=application)
    answers = {
        q.key_id: q.key["value"] if q.kind == "numeric" else q.key
        for q in application.domain.exam.questions.all()
    }
    save_answers(actor=user, sitting=sitting, answers=answers)
    hand_in(actor=user, sitting=sitting)
    application.refresh_from_db()
    finish_training(
        actor=user,
        application=application,
        version=current_version(),
        answers=answer_key(),
        key=answer_key(),
    )
    application.refresh_from_db()
    return application


def load_trials(people: dict[str, User], password: str) -> None:
    """Two more applicants in finance: one accepted, one whose trial waits for the senior."""
    trials = read("trials.json")
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
        row = {
            "applicant_in": "finance",
            "affiliation": "Kade & Sluis Vermogensbeheer"
            if outcome == "accepted"
            else "Volta Delta Savings and Loans",
            "degree": "MSc Finance",
            "years": 6,
            "credentials": "Chartered accountant; six years in credit and asset-based lending.",
        }
        application = walk_to_trial(user, row, people["staff"])
        trial = Trial.objects.get(application=application)
        parts = {part: trials[outcome][part] for part in TRIAL_PARTS}
        trial = save_trial(actor=user, trial=trial, version=trial.version, **parts)
        hand_in_trial(actor=user, trial=trial)
        if outcome == "accepted":
            decide_trial(
                actor=people["senior"],
                trial=trial,
                verdict=Trial.Verdict.ACCEPTED,
                remarks=trials[outcome]["remarks"],
            )

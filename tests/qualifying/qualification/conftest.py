"""Applications at every stage, reached by walking the real actions."""

from collections.abc import Callable
from typing import Any

import pytest

from curation.joining.accounts import terms
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.actions import apply
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.actions import hand_in, save_answers, start_sitting
from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.exams.models import ExamSitting
from curation.qualifying.qualification.actions import admit
from curation.qualifying.training import units
from curation.qualifying.training.actions import answer_unit
from curation.qualifying.trials.actions import hand_in_trial, save_trial
from curation.qualifying.trials.models import Trial

PROFILE = {
    "affiliation": "Harbour Bank",
    "degree": "MSc Finance",
    "years": 5,
    "credentials": "Five years in lending.",
    "languages": ["en"],
    "terms_version": terms.current_version(),
}
FORM = {  # the same, as the form sends it
    **{name: value for name, value in PROFILE.items() if name != "languages"},
    "language_1": "en",
    "consent": "on",
}
TEXT = {
    "title": "Covenant headroom of a ferry operator",
    "scenario": "You advise a ferry operator that wants to buy a fifth ship.",
    "materials": "Net debt 134.4 million, EBITDA 40.2 million.",
    "requirements": "Write a memo of at most 200 words to the board.",
    "reference_answer": "Leverage is 3.34x. The purchase can wait for the season.",
}
FACTS = {"language": "en", "minutes": 90, "rate_band": "100_200", "change": "static"}
# Planted keys: words and figures that occur nowhere else.
RIGHT = {"q1": [2], "q2": [0, 3], "q3": "73519.25"}


@pytest.fixture
def exam(finance: Domain) -> Exam:
    exam = Exam.objects.create(
        domain=finance,
        title="Entry exam",
        title_zh="准入考试",
        minutes=30,
        pass_percent=60,
        shuffle=False,
    )
    rows: list[dict[str, Any]] = [
        {
            "key_id": "q1",
            "kind": "single",
            "topic": "Leases",
            "text": "What happens to EBITDA?",
            "options": ["It falls", "It stays", "It rises"],
            "key": [2],
            "points": 2,
            "study": "Read up on leases.",
        },
        {
            "key_id": "q2",
            "kind": "multiple",
            "topic": "Valuation",
            "text": "Which items are added?",
            "options": ["Pensions", "Cash", "Associates", "Minorities"],
            "key": [0, 3],
            "points": 2,
            "study": "Go through the equity bridge.",
        },
        {
            "key_id": "q3",
            "kind": "numeric",
            "topic": "Expected loss",
            "text": "Compute the loss.",
            "unit": "EUR",
            "key": {"value": "73519.25", "tolerance": "0.417"},
            "points": 1,
            "study": "Revise discounting.",
        },
    ]
    for position, row in enumerate(rows, start=1):
        Question.objects.create(exam=exam, position=position, **row)
    return exam


@pytest.fixture
def short(exam: Exam) -> Question:
    """A short text of three points, which a senior marks."""
    return Question.objects.create(
        exam=exam,
        position=4,
        key_id="q4",
        kind="short",
        topic="Judgement",
        text="What do you tell the committee?",
        key={"guide": "Ledgers first: one point for each ledger."},
        points=3,
        study="Practise short notes.",
    )


@pytest.fixture
def ordering(exam: Exam) -> Question:
    """Four items to be put in order; the bank holds them in another one."""
    return Question.objects.create(
        exam=exam,
        position=5,
        key_id="q5",
        kind="ordering",
        topic="Process",
        text="Put the steps in order.",
        options=["third", "first", "fourth", "second"],
        key=[1, 3, 0, 2],
        points=2,
    )


@pytest.fixture
def applied(finance: Domain) -> Callable[[User], Application]:
    return lambda user: apply(actor=user, domain=finance, **PROFILE)


@pytest.fixture
def at_exam(
    applied: Callable[[User], Application], exam: Exam, staff: User
) -> Callable[[User], Application]:
    def go(user: User) -> Application:
        return admit(actor=staff, application=applied(user))

    return go


@pytest.fixture
def sitting(at_exam: Callable[[User], Application], applicant: User) -> ExamSitting:
    """The applicant's exam, under way."""
    return start_sitting(actor=applicant, application=at_exam(applicant))


@pytest.fixture
def at_training(at_exam: Callable[[User], Application]) -> Callable[[User], Application]:
    def go(user: User) -> Application:
        application = at_exam(user)
        sitting = start_sitting(actor=user, application=application)
        save_answers(actor=user, sitting=sitting, answers=RIGHT)
        hand_in(actor=user, sitting=sitting)
        application.refresh_from_db()
        return application

    return go


@pytest.fixture
def at_trial(at_training: Callable[[User], Application]) -> Callable[[User], Application]:
    def go(user: User) -> Application:
        application = at_training(user)
        for unit in units.unit_keys():
            answer_unit(actor=user, unit=unit, answers=units.answer_key(unit))
        application.refresh_from_db()
        return application

    return go


@pytest.fixture
def trial(at_trial: Callable[[User], Application], applicant: User) -> Trial:
    """The applicant's trial task, not begun."""
    return at_trial(applicant).trials.get()


@pytest.fixture
def handed_in(at_trial: Callable[[User], Application]) -> Callable[[User], Trial]:
    def go(user: User, **changes: str) -> Trial:
        trial = at_trial(user).trials.get()
        trial = save_trial(actor=user, trial=trial, version=1, **(TEXT | FACTS | changes))
        return hand_in_trial(actor=user, trial=trial)

    return go

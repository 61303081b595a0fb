"""An approved task with an anchor to be scored; everything was reached by the real actions."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client, override_settings

from curation.base.process.lifecycle import AnchorStage, Stage
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.asking.candidates import families
from judge.asking.candidates.models import Response
from judge.scoring.agreement.meta_actions import decide_anchor, take_meta
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.anchors.models import Anchor, MetaEvaluation
from judge.scoring.sheets.actions import fill_sheet
from judge.scoring.sheets.models import Sheet
from review.rounds.actions import finish_round, set_verdict
from review.rounds.assignment_models import Review
from rubrics.sending.actions import send_to_review
from tests.conftest import new_domain, new_person
from tests.rubrics.walk import to_refining
from tests.worlds import World

LINES = 15
BASELINE_MODEL = "zz-planted-model-9"  # looked for in everything a scorer is sent
RIVAL_MODEL = "zz-planted-rival-7"
ANSWER = """## Memorandum

Net debt rises to **EUR 134.4 million**, so the covenant is broken in March.

1. Ask for consent before signing.
2. Offer a fee.
"""


@pytest.fixture(autouse=True)
def nothing_is_drawn(settings: Any) -> None:
    settings.SPOT_CHECK_RATE = 0.0
    settings.PROMPTS_PER_EXPERT = 20


def approved(author: User, screener: User, reviewer: User, domain: Domain, **options: Any) -> Task:
    """Walk a new task of the author's to APPROVED."""
    task = to_refining(author, screener, domain, **options)
    send_to_review(actor=author, task=task)
    review = Review.objects.get(task=task)
    assert review.reviewer == reviewer
    round_1 = review.rounds.get()
    for line in round_1.version.criteria.all():
        set_verdict(actor=reviewer, round=round_1, criterion=line, verdict="approve")
    finish_round(actor=reviewer, round=round_1)
    task.refresh_from_db()
    assert task.stage == Stage.APPROVED
    return task


@pytest.fixture
def approve(person: Any, author: User, finance: Domain) -> Callable[..., Task]:
    """Make approved tasks with a screener and a reviewer of their own: `approve(title="One")`."""
    people: list[User] = []

    def make(**options: Any) -> Task:
        if not people:
            people.extend([person("screener", finance), person("reviewer", finance)])
        return approved(author, *people, finance, **options)

    return make


@pytest.fixture(scope="module")
def approved_world(world_database: None) -> World:
    """An approved task and its three people."""
    finance = new_domain("finance")
    people = {name: new_person(name, finance) for name in ("author", "screener", "reviewer")}
    with override_settings(SPOT_CHECK_RATE=0.0, PROMPTS_PER_EXPERT=20):
        task = approved(*people.values(), finance)
    return World(finance=finance, task=task, **people)


def answered(task: Task) -> Anchor:
    """An anchor whose baseline response is there; it waits for a scorer."""
    anchor = Anchor.objects.create(task=task)
    anchor.record_start(actor=None)
    response = Response.objects.create(
        key=f"{task.key}-baseline",
        task=task,
        candidate=families.candidate_named(BASELINE_MODEL),
        text=ANSWER,
        baseline=True,
        source=Response.Source.GENERATED,
    )
    Anchor.objects.filter(pk=anchor.pk).update(response=response)
    anchor.response = response
    anchor.advance(AnchorStage.SCORING, actor=None, reason=f"Answered by {BASELINE_MODEL}.")
    return anchor


@pytest.fixture
def task(approved_world: World) -> Task:
    return approved_world["task"]


@pytest.fixture
def anchor(task: Task) -> Anchor:
    return answered(task)


@pytest.fixture
def rival(task: Task) -> Response:
    """A candidate's response to the same task."""
    return Response.objects.create(
        key="rival-1",
        task=task,
        candidate=families.candidate_named(RIVAL_MODEL),
        text="I recommend to refuse.",
        source=Response.Source.IMPORTED,
    )


@pytest.fixture
def scorer(task: Task, person: Any, finance: Any) -> User:
    """A qualified colleague without a seat on the task."""
    return person("scorer", finance)


@pytest.fixture
def checker(task: Task, person: Any, finance: Any) -> User:
    """A senior without a seat on the task."""
    return person("checker", finance, senior=True)


@pytest.fixture
def sheet(anchor: Anchor, scorer: User) -> Sheet:
    """The anchor's sheet, open at its first line."""
    return take_anchor(actor=scorer, anchor=anchor)


@pytest.fixture
def desk(scorer: User, sign_in: Any) -> Client:
    """The scorer's browser."""
    return sign_in(scorer)


@pytest.fixture
def high_desk(checker: User, sign_in: Any) -> Client:
    """The senior's browser."""
    return sign_in(checker)


def verdicts(sheet: Sheet, *, met: Any = lambda n: n % 2 == 0) -> dict[str, tuple[bool, str]]:
    """A verdict and a reason for every line."""
    keys = sheet.version.criteria.order_by("position").values_list("key", flat=True)
    return {key: (met(n), f"Paragraph {n} says so.") for n, key in enumerate(keys)}


@pytest.fixture
def office(sign_in: Any, staff: Any) -> Any:
    return sign_in(staff)


def lines_of(sheet: Sheet) -> list[int]:
    """Ids of the lines of a sheet, in their order."""
    rows = sheet.lines.order_by("criterion__position")
    return list(rows.values_list("criterion_id", flat=True))


def agreed(sheet: Sheet, **other: str) -> dict[str, str]:
    """What a senior sends who agrees with every line."""
    return {**{f"agrees-{pk}": "true" for pk in lines_of(sheet)}, **other}


def meta_url(anchor: Anchor) -> str:
    """Where a senior checks an anchor."""
    return f"/meta/{anchor.pk}/"


@pytest.fixture
def submitted(sheet: Sheet, scorer: User) -> Sheet:
    """The anchor's sheet, complete and with the seniors."""
    return fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts(sheet))


@pytest.fixture
def check(submitted: Sheet, anchor: Anchor, checker: User) -> MetaEvaluation:
    """The senior's open check."""
    return take_meta(actor=checker, anchor=anchor)


def send_back(check: MetaEvaluation, checker: User, *, line: int = 0) -> int:
    """Send the sheet back because of one line; returns that line's id."""
    lines = list(
        check.anchor.response.sheets.get()
        .lines.order_by("criterion__position")
        .values_list("criterion_id", flat=True)
    )
    said = {
        pk: (n != line, "The table says 112." if n == line else "") for n, pk in enumerate(lines)
    }
    decide_anchor(
        actor=checker,
        evaluation=check,
        verdict="sent_back",
        remarks="Look at the table again.",
        lines=said,
    )
    return lines[line]

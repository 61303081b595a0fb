"""A domain with two responses whose verdicts are known, and tasks to score besides."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.asking.candidates import families
from judge.asking.candidates.models import Response
from judge.scoring.agreement.meta_actions import decide_anchor, take_meta
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.practice.choosing import add_practice_sheet
from judge.scoring.scorers.policy import change_policy, policy_for, rules_of
from judge.scoring.scorers.practice_models import PracticeSheet
from judge.scoring.sheets.actions import fill_sheet, record_sheet
from judge.scoring.sheets.models import Sheet
from tests.conftest import new_domain, new_person
from tests.scoring.pages.conftest import (
    ANSWER,
    answered,
    approve,  # noqa: F401
    approved,
    lines_of,
    nothing_is_drawn,  # noqa: F401
    verdicts,
)
from tests.worlds import World

ANCHORED, AGREED, DISPUTED, PLAIN = "anchored", "agreed", "disputed", "plain"


def respond(task: Task, name: str) -> Response:
    return Response.objects.create(
        key=f"{task.key}-{name}",
        task=task,
        candidate=families.candidate_named(f"model-{name}"),
        text=ANSWER,
        source=Response.Source.IMPORTED,
    )


def known_of(sheet: Sheet) -> dict[str, bool]:
    """What is known of every response here: every second line is met."""
    return {key: met for key, (met, _why) in verdicts(sheet).items()}


@pytest.fixture(scope="module")
def known_world(world_database: None) -> World:
    """Four tasks: with a validated anchor, with agreed lines, with a disputed line, plain."""
    finance, staff = new_domain("finance"), new_person("staff", is_staff=True)
    people = {name: new_person(name, finance) for name in ("author", "screener", "reviewer")}
    first, second = new_person("first", finance), new_person("second", finance)
    senior = new_person("senior", finance, senior=True)
    things: dict[str, Any] = {}
    with override_settings(SPOT_CHECK_RATE=0.0, PROMPTS_PER_EXPERT=20):
        for name in (ANCHORED, AGREED, DISPUTED, PLAIN):
            things[name] = approved(*people.values(), finance, title=name.title())
    anchor = answered(things[ANCHORED])
    sheet = take_anchor(actor=first, anchor=anchor)
    fill_sheet(actor=first, sheet=sheet, verdicts=verdicts(sheet))
    decide_anchor(
        actor=senior,
        evaluation=take_meta(actor=senior, anchor=anchor),
        verdict="validated",
        remarks="Validated.",
        lines=dict.fromkeys(lines_of(sheet), (True, "")),
    )
    things["baseline"] = anchor.response
    for name in (AGREED, DISPUTED):
        response = things[f"{name}_response"] = respond(things[name], "ada")
        said = verdicts(sheet)
        for scorer in (first, second):
            version = things[name].rubric_versions.order_by("-number").first()
            keys = list(version.criteria.order_by("position").values_list("key", flat=True))
            said = {key: (n % 2 == 0, f"Paragraph {n}.") for n, key in enumerate(keys)}
            if (name, scorer) == (DISPUTED, second):
                said[keys[0]] = (False, "It is not there.")
            record_sheet(actor=staff, response=response, scorer=scorer, verdicts=said)
    for name in ("ada", "bea", "cid", "dot"):
        things[name] = respond(things[PLAIN], name)
    return World(
        finance=finance, staff=staff, first=first, second=second, senior=senior,
        anchor=anchor, **people, **things,
    )  # fmt: skip


@pytest.fixture
def scorer(known_world: World, person: Any, finance: Domain) -> User:
    """A qualified colleague without any sheet or seat."""
    return person("newcomer", finance)


@pytest.fixture
def colleague(known_world: World, person: Any, finance: Domain) -> User:
    return person("colleague", finance)


@pytest.fixture
def desk(scorer: User, sign_in: Any) -> Any:
    return sign_in(scorer)


@pytest.fixture
def office(known_world: World, staff: User, sign_in: Any) -> Any:
    return sign_in(staff)


@pytest.fixture
def rule(known_world: World, staff: User, finance: Domain) -> Callable[..., None]:
    """Set rules of the domain: `rule(known_rate=50)`; the others stay as they are."""

    def change(**rules: int) -> None:
        now = rules_of(policy_for(finance.pk))
        change_policy(actor=staff, domain=finance, **{**now, **rules})

    return change


@pytest.fixture
def practice(known_world: World, staff: User) -> PracticeSheet:
    """The anchor's response as the domain's practice sheet."""
    return add_practice_sheet(actor=staff, response=known_world["baseline"])


def filled(sheet: Sheet, scorer: User, *, wrong: int = 0, lenient: bool | None = None) -> Sheet:
    """Score every line as it is known but for the first `wrong` ones, and submit.

    Args:
        lenient: only make lines wrong that are then too lenient, or too strict.
    """
    said, left = {}, wrong
    for key, met in known_of(sheet).items():
        other = left > 0 and (lenient is None or met != lenient)
        left -= other
        said[key] = (met != other, "The text says so.")
    assert not left
    return fill_sheet(actor=scorer, sheet=sheet, verdicts=said)

"""The lists of candidates and of releases."""

import csv
import io
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate, Response
from judge.base.gold_sets.models import GoldRelease
from judge.results.leaderboard.open_boards import BoardRemoval, taken_off
from tests.runs.engine.factory import external_task

pytestmark = pytest.mark.django_db
CANDIDATES, GOLD, STEPS = "/staff/candidates/", "/staff/gold/", "/staff/lists/candidates/"


@pytest.fixture
def three(staff: User) -> list[Candidate]:
    """Cedar, offered; Larch, off the open board; Pine, a retired product."""
    cedar = Candidate.objects.create(name="Cedar", family="Woods", released_on=date(2026, 3, 1))
    larch = Candidate.objects.create(name="larch", licence="open_weights", version="4")
    pine = Candidate.objects.create(name="Pine", kind="product", retired_on=date(2026, 1, 1))
    BoardRemoval.objects.create(candidate=larch, reason="Trained on it.", by=staff)
    task = external_task("one", lines=0, baseline=False)
    for n, who in enumerate((pine, pine, cedar)):
        Response.objects.create(
            key=f"r{n}", task=task, candidate=who, sample=n, text="x", source="imported"
        )
    return [cedar, larch, pine]


def keys(page: Any) -> list[int]:
    assert page.status_code == 200
    return [row.pk for row in page.context["list"].rows]


def rows(found: list[Any], **more: str) -> dict[str, str]:
    return {"rows": ",".join(str(one.pk) for one in found), "checked": "1"} | more


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [0, 1, 2]),
        ("sort=-name", [2, 1, 0]),
        ("sort=-responses", [2, 0, 1]),
        ("sort=released", [0, 1, 2]),
        ("state=offered", [0, 1]),
        ("state=retired", [2]),
        ("state=off-board", [1]),
        ("kind=product", [2]),
        ("licence=open_weights", [1]),
        ("q=woods", [0]),
        ("q=LARCH+4", [1]),
    ],
)
def test_candidates_are_narrowed_and_sorted(
    sign_in: Any, staff: User, three: list[Candidate], query: str, found: list[int]
) -> None:
    assert keys(sign_in(staff).get(f"{CANDIDATES}?{query}")) == [three[n].pk for n in found]


def test_a_candidate_that_was_put_back_is_on_the_board_again(
    sign_in: Any, staff: User, three: list[Candidate]
) -> None:
    office = sign_in(staff)
    assert "off the open board" in office.get(f"{CANDIDATES}?q=larch").content.decode()
    BoardRemoval.objects.update(
        put_back_at=timezone.now(), put_back_by=staff, put_back_reason="Retrained."
    )
    assert keys(office.get(f"{CANDIDATES}?state=off-board")) == []


def test_a_file_of_candidates_tells_unknown_things_as_empty(
    sign_in: Any, staff: User, three: list[Candidate]
) -> None:
    reply = sign_in(staff).get(f"{CANDIDATES}?format=csv")
    text = b"".join(reply.streaming_content).decode("utf-8-sig")
    by_name = {row["Candidate"]: row for row in csv.DictReader(io.StringIO(text))}
    assert by_name["Pine"]["State"] == "retired"
    assert by_name["larch"]["State"] == "offered, off the open board"
    assert (by_name["Cedar"]["Released"], by_name["Pine"]["Released"]) == ("2026-03-01", "")
    assert by_name["Pine"]["Responses"] == "2"
    assert by_name["Pine"]["Share of approved tasks"] == "1.0"
    Task.objects.update(stage="draft")
    reply = sign_in(staff).get(f"{CANDIDATES}?q=pine&format=csv")
    text = b"".join(reply.streaming_content).decode("utf-8-sig")
    (pine,) = csv.DictReader(io.StringIO(text))
    assert pine["Share of approved tasks"] == ""  # there is none, which is not a share of 0


def test_many_are_taken_off_the_board_and_put_back_all_or_none(
    sign_in: Any, staff: User, three: list[Candidate]
) -> None:
    office = sign_in(staff)
    page = office.post(f"{STEPS}off-board/", rows(three, reason="Leaked."))
    assert [row.pk for row in page.context["cannot"]] == [three[1].pk]
    assert len(taken_off()) == 1
    assert office.post(f"{STEPS}off-board/do/", rows(three, reason="Leaked.")).status_code == 409
    assert len(taken_off()) == 1
    sent = rows([three[0], three[2]], reason="Leaked.")
    done = office.post(f"{STEPS}off-board/do/", sent, follow=True)
    assert "2 candidates are off the open board." in done.content.decode()
    assert {row.reason for row in taken_off()} == {"Leaked.", "Trained on it."}
    assert office.post(f"{STEPS}on-board/", rows(three, reason="")).status_code == 400
    office.post(f"{STEPS}on-board/do/", rows(three, reason="A mistake."))
    assert taken_off() == []


def test_many_are_retired_but_none_twice(sign_in: Any, staff: User, three: list[Candidate]) -> None:
    office = sign_in(staff)
    page = office.post(f"{STEPS}retire/", rows(three))
    assert "This candidate is retired already." in page.content.decode()
    office.post(f"{STEPS}retire/do/", rows(three[:2]))
    assert Candidate.objects.filter(retired_on__isnull=True).count() == 0


def test_nobody_else_takes_a_candidate_off(
    sign_in: Any, author: User, three: list[Candidate]
) -> None:
    sent = rows(three[:1], reason="Mine is better.")
    assert sign_in(author).post(f"{STEPS}off-board/do/", sent).status_code == 403
    assert len(taken_off()) == 1


@pytest.fixture
def releases(staff: User) -> list[GoldRelease]:
    return [
        GoldRelease.objects.create(
            number=n,
            size=10 - n,
            seed=7,
            strata="domain" if n < 3 else "language",
            allocation="equal",
            manifest={"counts": {"tasks": 10 - n, "lines": 150}},
            sha256=f"{n}" * 64,
            created_by=staff if n == 2 else None,
            created_at=timezone.now() - timedelta(days=n),
        )
        for n in (1, 2, 3)
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [2, 1, 0]),
        ("sort=tasks", [2, 1, 0]),
        ("sort=-frozen", [0, 1, 2]),
        ("strata=language", [2]),
        ("q=2", [1]),
        ("q=33333333", [2]),
        ("q=staff", [1]),
    ],
)
def test_releases_are_narrowed_and_sorted(
    sign_in: Any, staff: User, releases: list[GoldRelease], query: str, found: list[int]
) -> None:
    assert keys(sign_in(staff).get(f"{GOLD}?{query}")) == [releases[n].pk for n in found]


def test_a_file_of_releases_holds_whole_hashes(
    sign_in: Any, staff: User, releases: list[GoldRelease]
) -> None:
    reply = sign_in(staff).get(f"{GOLD}?format=csv&q=2")
    text = b"".join(reply.streaming_content).decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["Release"], row["Tasks"], row["Lines"]) == ("Release 2", "8", "150")
    assert (row["Anchors"], row["Hash"], row["Frozen by"]) == ("", "2" * 64, "Staff")


def test_a_view_of_releases_is_kept(sign_in: Any, staff: User, releases: list[GoldRelease]) -> None:
    office = sign_in(staff)
    office.post("/staff/lists/releases/views/?strata=language", {"name": "By language"})
    assert "By language" in office.get(GOLD).content.decode()
    assert "No release matches" in office.get(f"{GOLD}?q=999").content.decode()

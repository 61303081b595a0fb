"""The trail of a task: complete, in order, told to each reader as far as they may know."""

import csv
import io
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.db.models import ProtectedError
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from curation.base.access import permissions as access
from curation.base.process.history import AppendOnly
from curation.joining.people import User
from curation.tasks.task.models import Task, TaskEvent
from curation.telling.activity.trail import Filters, Reader, trail_of, work_sessions
from review.rounds.assignment_models import Comment, Review
from review.rounds.verdict_steps import VerdictStep
from rubrics.lines.actions import edit_line
from rubrics.marks.actions import ask_again, set_aside
from rubrics.marks.queries import rubric_marks
from rubrics.versions.models import LineChange
from tests.conftest import browser_of, make_staff
from tests.review.steps import approve, approve_all, finish, lines, request_change, send
from tests.rubrics.walk import lines_of
from tests.worlds import World


def story(browser: Client, task: Task, query: str = "") -> Any:
    return browser.get(reverse("task-story", args=[task.pk]) + query)


def words(reply: Any) -> str:
    body = reply.content.decode()
    main = body[body.index("<main") : body.index("</main>")]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


def rows_of(reply: Any) -> list[dict[str, str]]:
    body = b"".join(reply.streaming_content).decode().removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(body)))


@pytest.fixture(scope="module")
def asked_world(review_world: World) -> World:
    """Round 1 is finished with a request on the first line; a verdict was changed on the way."""
    review = Review.objects.get(task=review_world["task"])
    desk = browser_of(review_world["peer"])
    first, second, *_rest = lines(review)
    approve(desk, review, first)
    request_change(desk, review, first, comment="Which figure exactly?")
    request_change(desk, review, second, comment="A slip of mine.")
    desk.post(reverse("review-line-undo", args=[review.pk, second.pk]))
    with override_settings(SPOT_CHECK_RATE=0.0, RUBRIC_MIN_CRITERIA=3):
        approve_all(desk, review, but=1)
        finish(desk, review)
    return World()


@pytest.fixture
def asked(asked_world: World, task: Task) -> Task:
    return task


@pytest.fixture(scope="module")
def answered_world(asked_world: World, review_world: World) -> World:
    """The author edits three lines at a sitting and sends the rubric again."""
    task, study = review_world["task"], browser_of(review_world["author"])
    with override_settings(SPOT_CHECK_RATE=0.0, RUBRIC_MIN_CRITERIA=3):
        for n, line in enumerate(lines_of(task)[:3]):
            url = reverse("rubric-line", args=[task.pk, line.pk])
            study.post(url, {"text": f"States EUR {n}.5 million in row {n}.", "weight": "9"})
        send(study, task)
    return World()


@pytest.fixture
def answered(answered_world: World, task: Task) -> Task:
    return task


def test_staff_read_one_story_with_names_versions_and_reasons(answered, staff, sign_in):
    page = story(sign_in(staff), answered)
    told = words(page)
    in_order = [
        "Draft started.",
        "Submitted.",
        "A member of the panel voted.",
        "Accepted by the panel.",
        "a draft, kept as it was written.",
        "The rubric was sent to review.",
        "7 verdicts, 2 remarks",  # of 4 lines: one changed, one taken back
        "Requested a change.",
        "Which figure exactly?",
        "finished round 1",
        "Back from the review.",
        "3 steps on 3 lines",
        "→ 9",
        "Version 3 was closed.",
    ]
    at = [told.find(part) for part in in_order]
    assert -1 not in at, [p for p, where in zip(in_order, at, strict=True) if where < 0]
    assert at == sorted(at)
    for name in ("Author", "Peer", "Screener", "Reviewer 1", "Model D"):
        assert name in told


def test_the_author_reads_their_own_side_without_a_name(answered, author, reviewer, study):
    page = story(study, answered)
    told = words(page)
    assert "You" in told
    assert "Reviewer 1" in told
    assert "Which figure exactly?" in told
    assert "3 steps on 3 lines" in told
    for hidden in (reviewer.display_name, reviewer.email, "Screener", "Model D", "voted"):
        assert hidden not in told
    rows = rows_of(story(study, answered, "?format=csv"))
    assert {row["who"] for row in rows} <= {"You", "Reviewer 1", "The panel", "the machine"}


def test_a_verdict_of_an_open_round_is_told_to_nobody(task, review, desk, staff, study, sign_in):
    request_change(desk, review, lines(review)[0], comment="A secret so far.")
    browser = sign_in(staff)
    for reply in (story(study, task), story(browser, task)):
        assert "A secret so far." not in reply.content.decode()
        assert "Requested a change." not in reply.content.decode()
    assert "Gave a verdict. It can be read when the round is finished." in words(
        story(browser, task)
    )
    assert "Gave a verdict." not in words(story(study, task))
    body = b"".join(story(browser, task, "?format=jsonl").streaming_content).decode()
    assert "A secret so far." not in body


def test_the_story_holds_every_recorded_row_once(answered, staff):
    found = trail_of(answered, Reader(staff.pk, names=True))
    keys = [(act.source, act.pk) for act in found]
    assert len(keys) == len(set(keys))
    for source, rows in (
        ("task", TaskEvent.objects.filter(task=answered)),
        ("line", LineChange.objects.filter(version__task=answered)),
        ("remark", Comment.objects.filter(task=answered)),
        ("verdict", VerdictStep.objects.filter(round__review__task=answered)),
    ):
        assert {pk for name, pk in keys if name == source} == set(rows.values_list("pk", flat=True))
    assert [act.at for act in found] == sorted(act.at for act in found)


def test_the_audit_tells_what_the_machine_recorded_in_the_readers_language(asked, staff, sign_in):
    staff.language = "zh-hans"
    staff.save()
    page = sign_in(staff).get("/staff/audit/?kind=task")
    assert "评审要求修改 1 条" in page.content.decode()
    assert "The review asks" not in page.content.decode()


def test_a_reason_for_a_mark_is_told_and_its_taking_back_too(asked, author, staff):
    line = lines_of(asked)[0]
    edit_line(actor=author, task=asked, criterion=line, text="Treats the waiver adequately.")
    mark = rubric_marks(asked, lines_of(asked)).lines[0][0]
    said = {"actor": author, "task": asked, "criterion": line, "token": mark.token}
    set_aside(reason="The facility says no more.", **said)
    ask_again(**said)
    for reader in (Reader(staff.pk, names=True), Reader(author.pk, names=False)):
        told = [act for act in trail_of(asked, reader) if act.source == "waiver"]
        assert [act.quote for act in told] == ["The facility says no more.", ""]
        assert {act.line for act in told} == {line.key}
        assert {act.text for act in told} == {str(mark.name)}


def test_the_audit_lists_each_record_with_names_and_as_a_file(
    answered, author, reviewer, staff, desk, sign_in, django_assert_max_num_queries
):
    office = sign_in(staff)

    def rows(query):
        return rows_of(office.get(f"/staff/audit/?format=csv&{query}"))

    steps = LineChange.objects.filter(version__task=answered)
    assert len(rows("kind=line")) == steps.count()
    assert {row["Person"] for row in rows("kind=line")} == {author.display_name}
    remarks = rows(f"kind=remark&task={answered.pk}")
    assert {row["Reason"] for row in remarks} == {"Which figure exactly?", "A slip of mine."}
    given = VerdictStep.objects.filter(round__review__task=answered)
    assert len(rows(f"kind=verdict&person={reviewer.pk}")) == given.count()
    assert rows(f"kind=verdict&person={author.pk}") == []
    assert rows("kind=waiver") == []
    with django_assert_max_num_queries(14):
        page = office.get("/staff/audit/?kind=verdict")
    assert "Verdict taken back" in page.content.decode()
    # What stands in a round that is still open is listed for nobody.
    review = Review.objects.get(task=answered)
    request_change(desk, review, lines(review)[0], comment="A secret so far.")
    assert len(rows("kind=remark")) == 2
    assert len(rows("kind=verdict")) == given.filter(round__finished_at__isnull=False).count()
    # Nor is a prompt of the reader's own, whatever else they are.
    make_staff(author)
    own = rows_of(sign_in(author).get("/staff/audit/?format=csv&kind=verdict"))
    assert own == []
    assert office.get("/staff/audit/?kind=secrets").status_code == 400


def test_every_change_of_mind_stays_on_record(asked, review):
    first, second, *_rest = lines(review)
    steps = VerdictStep.objects.filter(round__review=review)
    assert list(steps.filter(criterion=first).values_list("verdict", flat=True)) == [
        "approve",
        "change",
    ]
    assert list(steps.filter(criterion=second).values_list("verdict", flat=True)) == [
        "change",
        "",
        "approve",
    ]


def test_a_pause_and_another_version_begin_another_sitting(answered, author):
    change = LineChange.objects.filter(version__task=answered).latest("pk")
    LineChange._base_manager.filter(pk=change.pk).update(at=change.at + timedelta(minutes=31))
    found = trail_of(answered, Reader(author.pk, names=False))
    work = [s for s in work_sessions(found) if s.first.kind == "line"]
    assert [len(session.entries) for session in work] == [2, 1]
    assert work[0].head == "2 steps on 2 lines"


@pytest.mark.parametrize(
    ("query", "there", "gone"),
    [
        ("?kind=verdict", "7 verdicts", "Submitted."),
        ("?kind=line&version=3", "3 steps on 3 lines", "verdict"),
        ("?who=machine", "Back from the review.", "Submitted."),
        ("?after=2999-01-01", "No entries match", "Submitted."),
        ("?before=2000-01-01", "No entries match", "Submitted."),
    ],
)
def test_the_story_is_narrowed_by_who_what_version_and_date(
    answered, staff, sign_in, query, there, gone
):
    told = words(story(sign_in(staff), answered, query))
    listed = told[told.index("Show all") :]
    assert there in listed
    assert gone not in listed


def test_a_person_filter_offers_who_acted_and_nobody_else(answered, reviewer, staff, sign_in):
    browser = sign_in(staff)
    told = words(story(browser, answered, f"?who=p{reviewer.pk}"))
    assert "7 verdicts" in told
    for bad in (f"?who=p{staff.pk}", "?version=99", "?kind=x", "?author__password=x"):
        assert story(browser, answered, bad).status_code == 400


def test_the_files_hold_single_steps_in_safe_cells(answered, author, study, staff, sign_in):
    Comment.objects.create(
        task=answered,
        line_key="c1",
        criterion=lines_of_reviewed(answered),
        side="author",
        person=author,
        text='=HYPERLINK("x")',
    )
    browser = sign_in(staff)
    rows = rows_of(story(browser, answered, "?format=csv"))
    assert next(r for r in rows if "HYPERLINK" in r["reason"])["reason"].startswith("'=")
    reply = story(browser, answered, "?format=jsonl")
    told = [json.loads(line) for line in b"".join(reply.streaming_content).decode().splitlines()]
    assert len(told) == len(rows)
    assert next(r for r in told if "HYPERLINK" in r["reason"])["reason"] == '=HYPERLINK("x")'
    assert {"at", "who", "what", "version", "row"} <= told[0].keys()
    only = rows_of(story(browser, answered, "?format=csv&kind=line"))
    assert {row["kind"] for row in only} == {"line"}


def lines_of_reviewed(task: Task) -> Any:
    return Review.objects.get(task=task).rounds.earliest("pk").version.criteria.first()


def test_who_only_holds_a_seat_or_nothing_reads_no_story(
    answered, reviewer, screener, stranger, sign_in
):
    for somebody, status in ((reviewer, 403), (screener, 403), (stranger, 404)):
        assert story(sign_in(somebody), answered).status_code == status
    assert story(Client(), answered).status_code == 302


def test_staff_who_wrote_the_task_read_it_as_its_author(answered, author, sign_in):
    make_staff(author)
    told = words(story(sign_in(author), answered))
    assert "Colleagues are not named" in story(sign_in(author), answered).content.decode()
    assert "Peer" not in told


def test_the_story_asks_a_fixed_number_of_queries(answered, staff, sign_in):
    browser = sign_in(staff)
    story(browser, answered)
    with CaptureQueriesContext(
        connection,
    ) as few:
        story(browser, answered)
    version = answered.rubric_versions.latest("number")
    for n in range(30):
        LineChange.objects.create(
            version=version, revision=n, key="c1", kind="reason", reason="x", actor=answered.author
        )
    with CaptureQueriesContext(connection) as many:
        story(browser, answered)
    assert len(many) == len(few) < 21


def test_a_long_story_is_paged_by_sittings(answered, author, study):
    version = answered.rubric_versions.latest("number")
    now = timezone.now()
    for n in range(50):
        LineChange.objects.create(
            version=version,
            revision=n,
            key="c1",
            kind="reason",
            reason="x",
            actor=author,
            at=now + timedelta(hours=n),
        )
    told = words(story(study, answered))
    assert "Page 1 of 2" in told
    assert "Page 2 of 2" in words(story(study, answered, "?page=2"))


# --- append-only ----------------------------------------------------------------------------------
def records() -> list[type[AppendOnly]]:
    def below(kind: type) -> list[type]:
        return [kind, *(deeper for sub in kind.__subclasses__() for deeper in below(sub))]

    return [kind for kind in below(AppendOnly) if not kind._meta.abstract]


def test_no_row_of_a_record_can_be_changed_or_deleted_one_or_many_at_a_time(answered):
    assert len(records()) > 15
    for kind in records():
        for refused in (
            lambda rows: rows.update(pk=1),
            lambda rows: rows.delete(),
            lambda rows: rows.filter(pk=1).delete(),
            lambda rows: rows.bulk_update([], ["pk"]),
        ):
            with pytest.raises(TypeError, match="never"):
                refused(kind.objects.all())
    event = TaskEvent.objects.filter(task=answered).latest("pk")
    event.reason = "Another one."
    with pytest.raises(TypeError):
        event.save()
    with pytest.raises(TypeError):
        event.delete()
    with pytest.raises(TypeError):
        answered.history.all().delete()


def test_no_record_is_in_the_admin_and_no_address_of_the_api_changes_one():
    assert [kind for kind in records() if admin.site.is_registered(kind)] == []
    changing = {
        route: verbs
        for route, verbs in access.routes().items()
        if any(word in route for word in ("audit", "story", "agreement-lines"))
        if set(verbs) - {"GET"}
    }
    assert changing == {}


def test_a_person_who_left_stays_in_the_story_and_cannot_be_deleted(
    answered, reviewer, staff, sign_in
):
    before = words(story(sign_in(staff), answered))
    with pytest.raises(ProtectedError):
        reviewer.delete()
    User.objects.filter(pk=reviewer.pk).update(is_active=False)
    assert words(story(sign_in(staff), answered)) == before
    assert Filters(who=f"p{reviewer.pk}").take(
        next(
            act
            for act in trail_of(answered, Reader(staff.pk, names=True))
            if act.person == reviewer.pk
        )
    )

"""A release of a draw holds its tasks and no others; what is left out is named with its reason."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.base.process.lifecycle import AnchorStage, Stage
from curation.tasks.task.models import Task
from judge.base.gold_sets.models import GoldDraw, GoldException, GoldRelease, GoldSplit
from judge.gold.draws.actions import draw_gold, release_draw
from judge.gold.releases.checking import folder_of, verify
from judge.gold.releases.draw import DrawSpec
from judge.scoring.anchors.models import Anchor
from judge.scoring.sheets.models import Sheet
from rubrics.versions.models import RubricVersion


@pytest.fixture
def draw(pool, staff):
    """All nine tasks, drawn while two law tasks had no anchor."""
    return draw_gold(actor=staff, spec=DrawSpec(size=9, seed=4))


@pytest.fixture
def browser(sign_in, staff):
    return sign_in(staff)


def left_out(release):
    return dict(release.exceptions.values_list("task__key", "reason"))


def test_what_is_not_anchored_is_named_and_stops_the_freeze(browser, draw):
    Anchor.objects.filter(task__key="law-1").update(stage=AnchorStage.META_EVALUATION)
    page = browser.get(f"/staff/gold/draws/{draw.pk}/").content.decode()
    assert "7 of 9 drawn tasks are anchored" in page
    said = "2 of 9 tasks drawn are not anchored (1 waiting for a baseline; 1 with a senior)."
    assert said in page
    answer = browser.post(f"/staff/gold/draws/{draw.pk}/freeze/", {"formats": "jsonl"})
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not GoldRelease.objects.exists()


def test_exceptions_are_stored_published_and_nothing_takes_their_place(
    browser, draw, programme, law
):
    # A task approved and anchored after the draw is in no release of it.
    programme.task("law-9", law)
    waiting = Task.objects.get(key="law-2")
    answer = browser.post(
        f"/staff/gold/draws/{draw.pk}/freeze/",
        {"formats": "jsonl", "for_all": "The scorer fell ill.", f"why_{waiting.pk}": "Too vague.",
         "others": "finance-5 = Its case was published."},
    )  # fmt: skip
    release = GoldRelease.objects.get()
    assert answer.url == f"/staff/gold/releases/{release.number}/"
    kept = set(release.items.values_list("task__key", flat=True))
    assert kept == {"law-0", *(f"finance-{n}" for n in range(5))}
    reasons = {"law-1": "The scorer fell ill.", "law-2": "Too vague.",
               "finance-5": "Its case was published."}  # fmt: skip
    assert left_out(release) == reasons
    manifest = json.loads((folder_of(release) / "manifest.json").read_text())
    assert {row["task"]: row["reason"] for row in manifest["exceptions"]} == reasons
    assert {row["task"]: row["state"] for row in manifest["exceptions"]}["finance-5"] == "anchored"
    assert manifest["draw"]["number"] == draw.pk
    assert manifest["draw"]["drawn"] == 9
    assert {row["stratum"]: (row["wanted"], row["drawn"]) for row in manifest["strata"]} == {
        "finance": (6, 5),
        "law": (3, 1),
    }
    left = {row["what"]: row["count"] for row in manifest["left_out"]}
    assert left["approved tasks that were not drawn"] == 1
    assert left["drawn tasks that staff left out"] == 3
    card = (folder_of(release) / "DATASHEET.md").read_text()
    assert f"Frozen from draw {draw.pk} of" in card
    assert "| law-1 | answering | The scorer fell ill. |" in card
    assert all(check.fine for check in verify(release))
    page = browser.get(answer.url).content.decode()
    assert "6 of its 9 tasks; none was replaced" in page
    assert "The scorer fell ill." in page


def test_the_same_draw_and_exceptions_give_the_same_release(draw, staff):
    exceptions = {"law-1": "Late.", "law-2": "Late."}
    first = release_draw(actor=staff, draw=draw, exceptions=exceptions)
    assert release_draw(actor=staff, draw=draw, exceptions=exceptions) == first
    other = release_draw(actor=staff, draw=draw, exceptions={**exceptions, "law-1": "Later."})
    assert other.number == 2
    assert GoldException.objects.count() == 4


def test_a_task_reopened_or_scored_by_an_old_rubric_is_not_ready(draw, staff, browser):
    Task.objects.filter(key="finance-0").update(stage=Stage.REFINING)
    other = RubricVersion.objects.get(task__key="finance-2")
    Sheet.objects.filter(anchor__task__key="finance-1").update(version=other)
    page = browser.get(f"/staff/gold/draws/{draw.pk}/").content.decode()
    assert "1 with an outdated anchor; 1 no longer approved" in page


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"for_all": "Ill.", "others": "planet-1 = Gone."}, "These are no tasks of the draw"),
        ({"for_all": "Ill.", "others": "finance-1"}, "Write each line as"),
        ({"for_all": "Ill.", "others": "finance-1 = A\nfinance-1 = B"}, "is named twice"),
        ({"for_all": "Ask peer@example.org."}, "contains the e-mail address"),
        ({"for_all": "   "}, "not anchored"),
    ],
)
def test_exceptions_that_cannot_be_published_are_refused(browser, draw, peer, sent, says):
    peer.email = "peer@example.org"
    peer.save()
    answer = browser.post(f"/staff/gold/draws/{draw.pk}/freeze/", {"formats": "jsonl", **sent})
    assert answer.status_code == 400
    assert says in answer.content.decode()
    assert not GoldRelease.objects.exists()


def command(out, *options):
    text = StringIO()
    call_command("export_gold", "--out", str(out), *options, stdout=text)
    return text.getvalue()


def test_a_draw_is_frozen_by_command(draw, tmp_path):
    with pytest.raises(CommandError, match="2 of 9 tasks drawn are not anchored"):
        command(tmp_path / "out", "--draw", str(draw.pk))
    said = command(tmp_path / "out", "--draw", str(draw.pk), "--leave-out", "law-1=Late.",
                   "--leave-out", "law-2=Late = too late.")  # fmt: skip
    assert "law-2: drawn but left out: Late = too late." in said
    assert GoldRelease.objects.get().draw == draw


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--draw", "999"], "There is no draw 999"),
        (["--seed", "0"], "leave out --seed"),
        (["--size", "3", "--quota", "law=3"], "leave out --size, --quota"),
        (["--leave-out", "law-1"], "is no exception"),
        (["--leave-out", "law-1=a", "--leave-out", "law-1=b"], "names “law-1” twice"),
        (["--leave-out", "law-1=a", "--leave-out", "law-2= "], "Say why law-2 is left out"),
    ],
)
def test_options_that_do_not_fit_a_draw_are_refused(draw, tmp_path, options, says):
    given = options if "--draw" in options else ["--draw", str(draw.pk), *options]
    with pytest.raises(CommandError, match=says):
        command(tmp_path / "out", *given)
    assert not GoldRelease.objects.exists()


def test_nothing_is_frozen_where_everything_is_an_exception(draw, tmp_path):
    every = [f"--leave-out={key}=Gone." for key in Task.objects.values_list("key", flat=True)]
    with pytest.raises(CommandError, match="nothing is left to freeze"):
        command(tmp_path / "out", "--draw", str(draw.pk), *every)


class TestHalvesOnThePage:
    def test_a_draw_is_split_and_its_held_out_half_opened_with_a_reason(self, browser, draw):
        answer = browser.post(f"/staff/gold/draws/{draw.pk}/split/", {"percent": 0, "seed": 1})
        assert answer.status_code == 400
        sent = {"percent": 30, "seed": 1}
        assert browser.post(f"/staff/gold/draws/{draw.pk}/split/", sent).status_code == 302
        page = browser.get(f"/staff/gold/draws/{draw.pk}/").content.decode()
        assert "Held-out half (3 tasks): not looked at yet." in page
        assert f"task_set=draw:{draw.pk}/development" in page
        assert browser.post(f"/staff/gold/draws/{draw.pk}/split/", sent).status_code == 409
        split = GoldDraw.objects.get().split
        opening = f"/staff/gold/halves/{split.pk}/open/"
        assert browser.post(opening, {"reason": ""}).status_code == 400
        assert browser.post(opening, {"reason": "It is final."}).status_code == 302
        assert "It is final." in browser.get(f"/staff/gold/draws/{draw.pk}/").content.decode()
        assert browser.post(opening, {"reason": "Again."}).status_code == 409

    def test_a_release_without_a_draw_is_split_and_opened_on_its_page(self, browser, pool):
        browser.post("/staff/gold/releases/new/", {"size": 7, "seed": 1, "redistribute": "1",
                     "allocation": "proportional", "formats": "jsonl"})  # fmt: skip
        page = "/staff/gold/releases/1/"
        assert browser.post(f"{page}split/", {"percent": 100, "seed": 1}).status_code == 400
        assert browser.post(f"{page}split/", {"percent": 30, "seed": 1}).url == page
        opening = f"/staff/gold/halves/{GoldSplit.objects.get().pk}/open/"
        refused = browser.post(opening, {"reason": " "})
        assert refused.status_code == 400
        assert "It cannot be closed again." in refused.content.decode()
        assert browser.post(opening, {"reason": "It is final."}).url == page
        assert "It is final." in browser.get(page).content.decode()

    def test_a_release_of_a_draw_follows_its_halves(self, browser, draw, staff):
        release = release_draw(
            actor=staff, draw=draw, exceptions={"law-1": "Late.", "law-2": "Late."}
        )
        address = f"/staff/gold/releases/{release.number}/"
        assert "Split the draw; this release follows it." in browser.get(address).content.decode()
        answer = browser.post(f"{address}split/", {"percent": 30, "seed": 1})
        assert answer.status_code == 409
        browser.post(f"/staff/gold/draws/{draw.pk}/split/", {"percent": 30, "seed": 1})
        assert (
            f"task_set=release:{release.number}/held-out" in browser.get(address).content.decode()
        )

    def test_a_draw_page_takes_the_same_queries_however_many_tasks(
        self, browser, draw, staff, programme, finance, django_assert_num_queries
    ):
        with CaptureQueriesContext(connection) as few:
            browser.get(f"/staff/gold/draws/{draw.pk}/")
        for n in range(10, 30):
            programme.task(f"finance-{n}", finance, anchored=n % 2 == 0)
        more = draw_gold(actor=staff, spec=DrawSpec(size=29, seed=4))
        with django_assert_num_queries(len(few)):
            browser.get(f"/staff/gold/draws/{more.pk}/")

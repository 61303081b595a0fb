"""The gold pages: what can be drawn, what is asked for, what is frozen, and who may take it."""

import html
import io
import re
import zipfile

import pytest

from curation.base.process.lifecycle import AnchorStage
from judge.base.gold_sets.models import GoldDraw, GoldRelease
from judge.scoring.anchors.models import Anchor


@pytest.fixture
def browser(sign_in, staff):
    return sign_in(staff)


def freeze(browser, **values):
    return browser.post(
        "/staff/gold/releases/new/",
        {"size": 5, "seed": 7, "allocation": "proportional", "redistribute": "",
         "formats": ["jsonl", "csv"], **values},
    )  # fmt: skip


def test_a_draw_gives_an_anchor_to_each_task_that_has_none(browser, pool, staff):
    answer = browser.post(
        "/staff/gold/draw/",
        {"size": 9, "seed": 1, "allocation": "proportional", "redistribute": ""},
    )
    assert answer.status_code == 302
    draw = GoldDraw.objects.get()
    assert (draw.size, draw.seed, draw.created_by) == (9, 1, staff)
    assert Anchor.objects.count() == 9
    new = Anchor.objects.filter(stage=AnchorStage.ANSWERING)
    assert set(new.values_list("task__key", flat=True)) == {"law-1", "law-2"}
    assert all(anchor.history.count() == 1 for anchor in new)
    page = browser.get("/staff/gold/").content.decode()
    assert "Draw 1" in page or f"Draw {draw.pk}" in page


def test_a_draw_that_would_bring_nothing_new_says_so_and_offers_what_would(browser, pool):
    wish = "size=4&seed=3&allocation=own&quota_finance=4&quota_law=0"
    page = browser.get(f"/staff/gold/draw/?{wish}").content.decode()
    assert "This draw would bring nothing new." in page
    assert "Draw the 2 tasks without an anchor" in page
    assert "Draw 4 tasks" not in page
    sent = {"size": 4, "seed": 3, "allocation": "own", "quota_finance": 4, "quota_law": 0}
    refused = browser.post("/staff/gold/draw/", sent)
    assert refused.status_code == 400
    assert "Nothing was drawn." in refused.content.decode()
    assert not GoldDraw.objects.exists()
    assert browser.post("/staff/gold/draw/", {"short": "law:2", "seed": "3"}).status_code == 302
    page = browser.get("/staff/gold/draw/").content.decode()
    assert "No anchor is missing." in page
    assert "Build a release" in page
    assert "Draw 9 tasks" not in page


def test_the_first_proposal_of_a_draw_brings_new_anchors(browser, pool):
    page = browser.get("/staff/gold/draw/").content.decode()
    assert "Draw 9 tasks" in page
    assert "2 of the tasks drawn get a new anchor." in page


def test_a_preview_names_the_shortfall_and_the_three_ways_on(browser, pool):
    page = browser.get("/staff/gold/releases/new/?size=6&seed=1").content.decode()
    assert "5 of 6 tasks can be drawn" in page
    assert "Law is 1 short" in page
    assert "Lower these quotas" in page
    assert "Spread over the others" in page
    assert "Ask for 1 anchor" in page
    assert GoldRelease.objects.count() == 0


def test_a_shortfall_stops_the_freeze_and_keeps_what_was_typed(browser, pool):
    answer = freeze(browser, size=6, seed=4242)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "law: wanted 2, available 1" in page
    assert 'value="4242"' in page
    assert GoldRelease.objects.count() == 0


def test_what_nobody_previewed_is_not_frozen(browser, pool):
    address = "/staff/gold/releases/new/"
    hidden = re.compile(r'name="previewed" value="(\w+)"')
    shown = browser.get(f"{address}?size=2&seed=1").content.decode()
    answer = freeze(browser, size=4, seed=1, previewed=hidden.search(shown)[1])
    assert answer.status_code == 400
    again = answer.content.decode()
    assert "These are not the tasks of the preview" in again
    assert "4 of 4 tasks can be drawn" in again
    assert GoldRelease.objects.count() == 0
    answer = freeze(browser, size=4, seed=1, previewed=hidden.search(again)[1])
    assert answer.status_code == 302
    assert GoldRelease.objects.get().items.count() == 4


def test_anchors_that_are_missing_can_be_asked_for_at_once(browser, pool):
    answer = browser.post("/staff/gold/draw/", {"short": "law:1", "seed": "1"})
    assert answer.status_code == 302
    (new,) = Anchor.objects.filter(stage=AnchorStage.ANSWERING)
    assert new.task.key in {"law-1", "law-2"}
    # What is asked for already is not asked for twice.
    assert browser.post("/staff/gold/draw/", {"short": "law:2", "seed": "1"}).status_code == 400
    assert browser.post("/staff/gold/draw/", {"short": "law:x", "seed": "1"}).status_code == 400
    assert browser.post("/staff/gold/draw/", {"short": "law:1", "seed": "no"}).status_code == 400


def test_the_preview_has_an_address_of_its_own_without_the_token(browser, pool):
    answer = browser.post(
        "/staff/gold/releases/new/",
        {"size": 4, "seed": 3, "allocation": "own", "quota_finance": 4, "quota_law": 0,
         "preview": "1", "csrfmiddlewaretoken": "secret"},
    )  # fmt: skip
    assert answer.status_code == 302
    assert "secret" not in answer.url
    page = browser.get(answer.url).content.decode()
    assert "4 of 4 tasks can be drawn" in page


def test_a_draw_that_falls_short_is_not_offered_before_staff_choose_how_to_go_on(browser, pool):
    address = "/staff/gold/draw/?size=8&seed=1&allocation=equal"
    page = browser.get(address).content.decode()
    assert "Law is" in page
    assert "Lower these quotas" in page
    assert '<button class="btn btn-primary" form="builder">' not in page
    spread = html.unescape(re.search(r'href="\?([^"]*redistribute=1[^"]*)"', page)[1])
    page = browser.get(f"/staff/gold/draw/?{spread}").content.decode()
    assert "Draw 8 tasks" in page
    assert '<input type="hidden" name="redistribute" value="1">' in page


def test_own_quotas_begin_with_proportional_ones(browser, pool):
    page = browser.get("/staff/gold/draw/?size=6&seed=1&allocation=own").content.decode()
    assert 'name="quota_finance"' in page
    assert "6 of 6 tasks can be drawn" in page


def test_own_quotas_are_kept_to(browser, pool):
    freeze(browser, size=1, allocation="own", quota_finance=2, quota_law=1)
    release = GoldRelease.objects.get()
    assert release.size == 3
    assert [row["drawn"] for row in release.manifest["strata"]] == [2, 1]
    assert release.manifest["draw"]["allocation"] == "own quotas"
    assert freeze(browser, allocation="own").status_code == 400


def test_a_release_page_checks_every_file_when_it_is_opened(browser, pool, files):
    answer = freeze(browser, redistribute="1")
    assert answer.url == "/staff/gold/releases/1/"
    page = browser.get(answer.url).content.decode()
    assert "5 tasks, every one reviewed, anchored and counted" in page
    assert page.count("matches") == len(GoldRelease.objects.get().manifest["files"]) + 1
    (files / "gold" / "1" / "tasks.jsonl").write_text("{}")
    (files / "gold" / "1" / "anchors.jsonl").unlink()
    page = browser.get(answer.url).content.decode()
    assert "do not match the manifest" in page
    assert "changed" in page
    assert "missing" in page


def test_files_are_attachments_that_no_browser_opens(browser, pool):
    freeze(browser, redistribute="1")
    answer = browser.get("/staff/gold/releases/1/tasks-jsonl/")
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert len(b"".join(answer.streaming_content).splitlines()) == 5
    packed = browser.get("/staff/gold/releases/1/all-zip/")
    data = b"".join(packed.streaming_content)
    again = b"".join(browser.get("/staff/gold/releases/1/all-zip/").streaming_content)
    assert data == again
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert "gold-1/manifest.json" in names
    assert "gold-1/tasks.csv" in names


@pytest.mark.parametrize(
    "name", ["passwd", "tasks-parquet", "manifest", "-manifest-json", "tasks_jsonl", "all_zip"]
)
def test_only_names_of_the_manifest_lead_to_a_file(browser, pool, name):
    freeze(browser, redistribute="1")
    assert browser.get(f"/staff/gold/releases/1/{name}/").status_code == 404


@pytest.mark.parametrize("path", ["../../db.sqlite3", "..%2f..%2fsecret_key", "tasks.jsonl"])
def test_a_path_in_the_address_leads_nowhere(browser, pool, path):
    freeze(browser, redistribute="1")
    assert browser.get(f"/staff/gold/releases/1/{path}/").status_code == 404


def test_without_an_approved_task_the_builder_says_so(browser, db):
    for path in ("/staff/gold/draw/", "/staff/gold/releases/new/"):
        page = browser.get(path)
        assert page.status_code == 200
        assert b"No task is approved yet" in page.content


def test_the_builder_costs_a_fixed_number_of_queries(
    browser, pool, programme, finance, django_assert_max_num_queries
):
    for n in range(20):
        programme.task(f"more-{n}", finance)
    with django_assert_max_num_queries(17):
        browser.get("/staff/gold/releases/new/?size=20&seed=1")
    with django_assert_max_num_queries(17):
        browser.get("/staff/gold/")


def test_a_release_says_how_it_was_drawn_and_names_only_what_was_left_out(browser, pool, files):
    freeze(browser, redistribute="1")
    release = GoldRelease.objects.get()
    kinds = {row["what"]: row["count"] for row in release.manifest["left_out"]}
    page = html.unescape(browser.get(f"/staff/gold/releases/{release.number}/").content.decode())
    assert "seed 7, shares proportional to the approved tasks, shortfalls spread" in page
    left = page[page.index('id="left"') : page.index('id="history"')]
    assert "icon-lock" in left
    assert "icon-square" not in left  # an empty square reads as a box to tick
    assert 0 in kinds.values()
    for what, count in kinds.items():
        assert (what[1:] in page) == (count != 0)

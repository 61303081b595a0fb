"""The author's page: who may open it, what it shows, and every step on a line."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.lifecycle import Stage
from curation.models import Seat, Task, User
from rubrics.actions import line_token
from rubrics.models import Criterion, LineChange
from tests.rubrics.walk import lines_of, open_version

JSON = {"HTTP_ACCEPT": "application/json"}


def url(name: str, task: Task, line: Criterion | None = None) -> str:
    return reverse(name, args=[task.pk, line.pk] if line else [task.pk])


def editor(line: Criterion, **changes: Any) -> dict[str, Any]:
    """What the editor's form sends."""
    return {
        "text": line.text,
        "importance": line.importance,
        "weight": line.weight,
        "dimension": line.dimension,
        "version": line_token(line),
        **changes,
    }


# --- opening it ----------------------------------------------------------------------------------
def test_the_author_sees_the_lines_the_answer_and_the_balance(browser: Client, task: Task) -> None:
    page = browser.get(url("rubric", task)).content.decode()
    assert "States figure 7 of the covenant table" in page
    assert "Net debt rises to EUR 134.4 million." in page
    assert "Weight by importance" in page
    assert "15 lines" in page
    assert "Refining, before round 1" in page


def test_the_page_opens_at_the_line_asked_for(browser: Client, task: Task) -> None:
    line = lines_of(task)[4]
    page = browser.get(url("rubric", task) + f"?line={line.pk}").content.decode()
    assert f'id="line-{line.pk}" data-line="5"' in page
    assert f'action="{url("rubric-line", task, line)}"' in page


@pytest.mark.parametrize("query", ["?line=x", "?line=999999", "?line=-1", "?tab=<b>", "?split=1"])
def test_a_strange_address_still_opens_the_page(browser: Client, task: Task, query: str) -> None:
    assert browser.get(url("rubric", task) + query).status_code == 200


def test_a_stranger_finds_nothing_and_an_anonymous_visitor_signs_in(
    task: Task, sign_in: Any, stranger: User, peer: User, client: Client
) -> None:
    assert sign_in(stranger).get(url("rubric", task)).status_code == 404
    assert sign_in(peer).get(url("rubric", task)).status_code == 404
    answer = client.get(url("rubric", task))
    assert answer.status_code == 302
    assert "/account/login/" in answer["Location"]


def test_people_with_a_seat_and_staff_read_the_closed_version_only(
    task: Task, sign_in: Any, screener: User, staff: User, author: User, browser: Client
) -> None:
    line = lines_of(task)[0]
    browser.post(
        url("rubric-line", task, line), editor(line, text="Only the author sees this yet.")
    )
    for person in (screener, staff):
        page = sign_in(person).get(url("rubric", task))
        assert page.status_code == 200
        html = page.content.decode()
        assert "Only the author sees this yet." not in html
        assert "model's draft" in html.replace("&#x27;", "'")
        assert author.email not in html
        assert author.display_name not in html.replace("The author", "")


def test_only_the_author_may_change_a_line(
    task: Task, sign_in: Any, screener: User, staff: User, stranger: User
) -> None:
    line = lines_of(task)[0]
    for person, status in ((screener, 403), (staff, 403), (stranger, 404)):
        browser = sign_in(person)
        for name in ("rubric-line", "rubric-line-remove", "rubric-line-split", "rubric-line-merge"):
            assert browser.post(url(name, task, line), editor(line)).status_code == status
        assert browser.post(url("rubric-send", task)).status_code == status
        assert browser.post(url("rubric-line-add", task), {"text": "x"}).status_code == status
        assert browser.post(url("rubric-draft", task), {"key": "c1"}).status_code == status
    assert lines_of(task)[0].text == line.text


def test_a_line_of_another_task_is_not_there(
    refining: Callable[..., Task], browser: Client, task: Task
) -> None:
    foreign = lines_of(refining(title="Another one"))[0]
    missing = reverse("rubric-line", args=[task.pk, 999999])
    for address in (url("rubric-line", task, foreign), missing):
        assert browser.post(address, {"weight": 1}).status_code == 404
    foreign.refresh_from_db()
    assert foreign.weight != 1


def test_other_verbs_are_refused(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    assert browser.get(url("rubric-line", task, line)).status_code == 405
    assert browser.delete(url("rubric", task)).status_code == 405
    assert browser.get(url("rubric-send", task)).status_code == 405


def test_a_script_in_a_line_is_shown_as_text(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line, text="<script>alert(1)</script> x"))
    page = browser.get(url("rubric", task)).content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


# --- saving --------------------------------------------------------------------------------------
def test_a_background_save_answers_with_the_time_the_token_and_the_parts(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[0]
    answer = browser.post(
        url("rubric-line", task, line), editor(line, text="Names the breach.", weight="9"), **JSON
    )
    assert answer.status_code == 200
    reply = json.loads(answer.content)
    line.refresh_from_db()
    assert (line.text, line.weight) == ("Names the breach.", 9)
    assert line.provenance == "edited"
    assert reply["version"] == line_token(line)
    assert len(reply["saved_at"].split(":")) == 3
    assert f'id="line-{line.pk}-view"' in reply["html"]
    assert 'id="balance"' in reply["html"]


def test_a_line_set_back_to_its_draft_counts_as_kept(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line, weight=9))
    line.refresh_from_db()
    assert line.provenance == "edited"
    browser.post(url("rubric-line", task, line), editor(line, weight=5))
    line.refresh_from_db()
    assert line.provenance == "draft"


def test_without_scripts_done_goes_on_to_the_next_line(browser: Client, task: Task) -> None:
    first, second, *_rest = lines_of(task)
    answer = browser.post(url("rubric-line", task, first), editor(first, then="next"))
    assert answer.status_code == 302
    assert answer["Location"].endswith(f"?line={second.pk}")


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("text", "  \u200b ", "Write what the line checks."),
        ("text", "x" * 2001, "at most 2,000 fit"),
        ("text", "a\x00b", "NUL"),
        ("weight", "11", "Weights run from 1 to 10."),
        ("weight", "0", "Weights run from 1 to 10."),
        ("weight", "1.5", "whole number"),
        ("weight", "NaN", "whole number"),
        ("weight", "٣", "whole number"),
        ("importance", "huge", "Choose essential, important or optional."),
        ("dimension", "taste", "Choose one of the 16 dimensions."),
    ],
)
def test_a_wrong_field_is_refused_with_everything_typed_kept(
    browser: Client, task: Task, field: str, value: str, sentence: str
) -> None:
    line = lines_of(task)[0]
    sent = editor(line, text="Typed with care.") | {field: value}
    page = browser.post(url("rubric-line", task, line), sent)
    assert page.status_code == 400
    html = page.content.decode()
    assert sentence in html
    if field != "text":
        assert "Typed with care." in html
    reply = browser.post(url("rubric-line", task, line), sent, **JSON)
    assert reply.status_code == 400
    assert field in json.loads(reply.content)["fields"]
    line.refresh_from_db()
    assert line.text.startswith("States figure")


def test_two_tabs_on_one_line_get_both_texts_and_nothing_is_lost(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[0]
    mine, theirs = editor(line, text="Typed in tab one."), editor(line, text="Typed in tab two.")
    assert browser.post(url("rubric-line", task, line), theirs, **JSON).status_code == 200
    answer = browser.post(url("rubric-line", task, line), mine, **JSON)
    assert answer.status_code == 409
    reply = json.loads(answer.content)
    assert reply["code"] == "stale"
    assert reply["yours"] == {"text": "Typed in tab one."}
    assert reply["theirs"] == {"text": "Typed in tab two."}
    line.refresh_from_db()
    assert line.text == "Typed in tab two."
    assert reply["version"] == line_token(line)
    # Choosing mine: the same text once more, on top of the version that was shown.
    again = browser.post(
        url("rubric-line", task, line), mine | {"version": reply["version"]}, **JSON
    )
    assert again.status_code == 200
    line.refresh_from_db()
    assert line.text == "Typed in tab one."


def test_without_scripts_the_conflict_page_shows_both_texts(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    sent = editor(line, text="Typed in tab one.", weight=9)
    browser.post(url("rubric-line", task, line), editor(line, text="Typed in tab two."))
    page = browser.post(url("rubric-line", task, line), sent)
    assert page.status_code == 409
    html = page.content.decode()
    assert "Typed in tab two." in html
    assert '<textarea id="conflict-line" name="text">Typed in tab one.</textarea>' in html
    assert '<input type="hidden" name="weight" value="9">' in html


def test_a_text_before_is_as_good_as_a_token(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line, text="Changed elsewhere."))
    sent = {"text": "Mine.", "text_before": line.text}
    assert browser.post(url("rubric-line", task, line), sent, **JSON).status_code == 409
    sent["text_before"] = "Changed elsewhere."
    assert browser.post(url("rubric-line", task, line), sent, **JSON).status_code == 200


def test_another_tabs_weight_survives_a_text_saved_later(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    stale = editor(line, text="New words.")
    browser.post(url("rubric-line", task, line), editor(line, weight=10), **JSON)
    assert browser.post(url("rubric-line", task, line), stale, **JSON).status_code == 200
    line.refresh_from_db()
    assert (line.text, line.weight) == ("New words.", 10)


def test_a_weight_alone_never_meets_a_conflict(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    stale = editor(line, weight=10)
    browser.post(url("rubric-line", task, line), editor(line, text="New words."), **JSON)
    assert browser.post(url("rubric-line", task, line), stale, **JSON).status_code == 200
    line.refresh_from_db()
    assert (line.text, line.weight) == ("New words.", 10)


def test_saving_what_is_there_already_writes_no_history(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line), **JSON)
    assert not LineChange.objects.exists()


# --- steps ---------------------------------------------------------------------------------------
def test_a_line_is_added_at_the_end_and_opened(browser: Client, task: Task) -> None:
    answer = browser.post(url("rubric-line-add", task), {"text": "Names the lender's consent."})
    line = lines_of(task)[-1]
    assert line.text == "Names the lender's consent."
    assert (line.provenance, line.weight, line.importance) == ("added", 5, "important")
    assert answer["Location"].endswith(f"?line={line.pk}")


def test_an_empty_new_line_is_refused_and_said_so(browser: Client, task: Task) -> None:
    page = browser.post(url("rubric-line-add", task), {"text": "  "})
    assert page.status_code == 400
    assert "Write what the line checks." in page.content.decode()


def test_a_key_is_never_used_again(browser: Client, task: Task) -> None:
    browser.post(url("rubric-line-add", task), {"text": "First of mine."})
    first = lines_of(task)[-1]
    browser.post(url("rubric-line-remove", task, first))
    browser.post(url("rubric-line-add", task), {"text": "Second of mine."})
    assert lines_of(task)[-1].key != first.key


def test_a_line_moves_up_and_down_and_stays_at_the_ends(browser: Client, task: Task) -> None:
    first, second, *_rest = lines_of(task)
    browser.post(url("rubric-line-move", task, first), {"by": "1"})
    assert [line.pk for line in lines_of(task)[:2]] == [second.pk, first.pk]
    browser.post(url("rubric-line-move", task, second), {"by": "-1"})
    assert lines_of(task)[0].pk == second.pk
    browser.post(url("rubric-line-move", task, second), {"by": "-999"})
    assert lines_of(task)[0].pk == second.pk
    assert browser.post(url("rubric-line-move", task, second), {"by": "up"}).status_code == 400


def test_a_split_keeps_the_key_for_the_first_and_the_weight_for_both(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[2]
    text = "States the gap as EUR 1.15 million of EBITDA and EUR 3.75 million of debt."
    browser.post(url("rubric-line-split", task, line), editor(line, text=text, weight=7))
    first, second = lines_of(task)[2:4]
    assert (first.pk, first.key) == (line.pk, line.key)
    assert first.text == "States the gap as EUR 1.15 million of EBITDA."
    assert second.text == "EUR 3.75 million of debt."
    assert second.key not in {line.key for line in lines_of(task) if line.pk != second.pk}
    assert first.weight == second.weight == 7
    assert second.provenance == "added"


def test_a_split_without_a_joining_word_asks_for_the_place(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    answer = browser.post(url("rubric-line-split", task, line), {})
    assert answer["Location"].endswith(f"?line={line.pk}&split=1")
    page = browser.get(answer["Location"]).content.decode()
    assert "Where does the second line begin?" in page
    at = line.text.index("of the covenant")
    browser.post(url("rubric-line-split", task, line), {"at": str(at)})
    assert lines_of(task)[1].text == "Of the covenant table as EUR 101 million."


def test_a_split_at_an_impossible_place_changes_nothing(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    assert browser.post(url("rubric-line-split", task, line), {"at": "0"}).status_code == 400
    assert browser.post(url("rubric-line-split", task, line), {"at": "99999"}).status_code == 400
    assert len(lines_of(task)) == 15


def test_merging_keeps_the_heavier_importance_and_weight(browser: Client, task: Task) -> None:
    first, second = lines_of(task)[1:3]  # optional 3 and essential 8
    browser.post(url("rubric-line-merge", task, first), {})
    merged = lines_of(task)[1]
    assert merged.key == first.key
    assert second.text[1:].rstrip(".") in merged.text
    assert (merged.importance, merged.weight) == ("essential", 8)
    assert len(lines_of(task)) == 14


def test_the_last_line_cannot_be_merged(browser: Client, task: Task) -> None:
    page = browser.post(url("rubric-line-merge", task, lines_of(task)[-1]), {})
    assert page.status_code == 400
    assert "no next one" in page.content.decode()


def undo_of_the_toast(browser: Client, location: str) -> str:
    """The address the toast's button posts to."""
    page = browser.get(location).content.decode()
    return page.split('class="toast"')[1].split('action="')[1].split('"')[0]


def test_a_removed_line_comes_back_to_its_place_and_only_once(browser: Client, task: Task) -> None:
    line = lines_of(task)[3]
    answer = browser.post(url("rubric-line-remove", task, line))
    assert line.key not in {other.key for other in lines_of(task)}
    undo = undo_of_the_toast(browser, answer["Location"])
    assert browser.post(undo).status_code == 302
    back = lines_of(task)[3]
    assert (back.key, back.text, back.source_id) == (line.key, line.text, line.source_id)
    assert browser.post(undo).status_code == 409
    assert len(lines_of(task)) == 15


@pytest.mark.parametrize("step", ["split", "merge", "move", "edit", "add", "bring_back"])
def test_every_step_can_be_undone(browser: Client, task: Task, step: str) -> None:
    def content() -> list[tuple]:
        return [(x.key, x.text, x.weight, x.importance) for x in lines_of(task)]

    line = lines_of(task)[5]
    if step == "bring_back":
        browser.post(url("rubric-line-remove", task, line))
    before = content()
    if step == "split":
        browser.post(url("rubric-line-split", task, line), {"at": str(line.text.index("of the"))})
    elif step == "merge":
        browser.post(url("rubric-line-merge", task, line))
    elif step == "move":
        browser.post(url("rubric-line-move", task, line), {"by": "-3"})
    elif step == "edit":
        browser.post(url("rubric-line", task, line), editor(line, text="Other words."))
    elif step == "add":
        browser.post(url("rubric-line-add", task), {"text": "One more check."})
    else:
        browser.post(url("rubric-draft", task), {"bring_back": line.source_id})
    assert content() != before
    change = LineChange.objects.latest("id")
    browser.post(reverse("rubric-line-restore", args=[task.pk, change.pk]))
    assert content() == before


def test_a_step_on_a_line_that_changed_since_is_not_undone(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line, text="Second text."))
    change = LineChange.objects.latest("id")
    line.refresh_from_db()
    browser.post(url("rubric-line", task, line), editor(line, text="Third text."))
    answer = browser.post(reverse("rubric-line-restore", args=[task.pk, change.pk]))
    assert answer.status_code == 409
    line.refresh_from_db()
    assert line.text == "Third text."


def test_the_undo_of_another_task_is_not_there(
    refining: Callable[..., Task], browser: Client, task: Task, sign_in: Any, stranger: User
) -> None:
    other = refining(title="Another one")
    browser.post(url("rubric-line-remove", other, lines_of(other)[0]))
    change = LineChange.objects.latest("id")
    assert (
        browser.post(reverse("rubric-line-restore", args=[task.pk, change.pk])).status_code == 404
    )
    assert (
        sign_in(stranger)
        .post(reverse("rubric-line-restore", args=[other.pk, change.pk]))
        .status_code
        == 404
    )


# --- draft beside mine, versions -----------------------------------------------------------------
def test_the_draft_stands_beside_mine_and_never_changes(browser: Client, task: Task) -> None:
    first, second, *_rest = lines_of(task)
    browser.post(url("rubric-line", task, first), editor(first, text="States net debt at closing."))
    browser.post(url("rubric-line-remove", task, second))
    browser.post(url("rubric-line-add", task), {"text": "A line of my own."})
    page = browser.get(url("rubric-draft", task)).content.decode()
    for words in ("13 kept", "1 edited", "1 added", "1 removed", "Bring back", "Model D"):
        assert words in page
    draft = task.rubric_versions.get(origin="draft")
    assert draft.content_sha256() == draft.sha256
    only = browser.get(url("rubric-draft", task) + "?show=changes").content.decode()
    assert "figure 9" not in only


def test_a_line_is_brought_back_once_with_its_reason_kept(browser: Client, task: Task) -> None:
    second = lines_of(task)[1]
    browser.post(url("rubric-line-remove", task, second))
    browser.post(url("rubric-draft", task), {"key": second.key, "reason": "Background only."})
    assert "Background only." in browser.get(url("rubric-draft", task)).content.decode()
    for _twice in range(2):
        browser.post(url("rubric-draft", task), {"bring_back": second.source_id})
    assert [line.key for line in lines_of(task)].count(second.key) == 1
    assert lines_of(task)[1].key == second.key


def test_a_reason_for_a_line_that_never_was_is_refused(browser: Client, task: Task) -> None:
    assert browser.post(url("rubric-draft", task), {"key": "zz", "reason": "x"}).status_code == 404
    long = {"key": "c1", "reason": "x" * 501}
    assert browser.post(url("rubric-draft", task), long).status_code == 400


def test_versions_list_number_origin_and_hash_and_mark_the_words_that_differ(
    browser: Client, task: Task, staff: User, sign_in: Any
) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line, text=line.text.replace("101", "999")))
    page = browser.get(url("rubric-versions", task)).content.decode()
    draft = task.rubric_versions.get(origin="draft")
    assert draft.sha256[:12] in page
    assert "<del>" in page
    assert "999" in page
    assert "From version 1 to version 2" in page
    for query in ("?a=1&b=2", "?a=2&b=1", "?a=x&b=-3", "?a=99&b=98"):
        assert browser.get(url("rubric-versions", task) + query).status_code == 200
    # the open version is the author's alone
    assert "999" not in sign_in(staff).get(url("rubric-versions", task)).content.decode()


# --- sending -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("lines", "sent"), [(14, False), (15, True), (40, True), (41, False)], ids=str
)
def test_a_rubric_of_15_to_40_lines_can_be_sent(
    refining: Callable[..., Task], browser: Client, peer: User, lines: int, sent: bool
) -> None:
    task = refining(lines=lines)
    answer = browser.post(url("rubric-send", task))
    task.refresh_from_db()
    assert answer.status_code == (302 if sent else 400)
    assert task.stage == (Stage.IN_REVIEW if sent else Stage.REFINING)
    if not sent:
        wanted = "Add 1 more." if lines == 14 else "Merge or remove 1."
        assert wanted in answer.content.decode()


def test_the_limits_come_from_the_settings(
    refining: Callable[..., Task], browser: Client, settings: Any
) -> None:
    settings.RUBRIC_MIN_CRITERIA, settings.RUBRIC_MAX_CRITERIA = 2, 3
    assert browser.post(url("rubric-send", refining(lines=4))).status_code == 400
    assert browser.post(url("rubric-send", refining(lines=3, title="B"))).status_code == 302


def test_the_send_button_is_filled_only_when_nothing_is_missing(
    refining: Callable[..., Task], browser: Client
) -> None:
    short, ready = refining(lines=14), refining(lines=15, title="B")
    assert (
        'class="btn" data-key="ctrl+shift+enter"'
        in browser.get(url("rubric", short)).content.decode()
    )
    assert (
        'class="btn btn-primary" data-key="ctrl+shift+enter"'
        in browser.get(url("rubric", ready)).content.decode()
    )


def test_two_lines_that_say_the_same_stop_the_sending_and_are_opened(
    browser: Client, task: Task
) -> None:
    first, second, *_rest = lines_of(task)
    browser.post(url("rubric-line", task, second), editor(second, text=f"  {first.text.upper()} "))
    page = browser.post(url("rubric-send", task))
    assert page.status_code == 400
    html = page.content.decode()
    assert "Lines 1 and 2 say the same." in html
    assert f'action="{url("rubric-line", task, second)}"' in html


def test_after_sending_the_lines_are_locked_and_a_late_save_is_a_conflict(
    browser: Client, task: Task, peer: User
) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-send", task))
    page = browser.get(url("rubric", task)).content.decode()
    assert "Locked: the rubric is with its reviewer." in page
    late = browser.post(url("rubric-line", task, line), editor(line, text="Too late."), **JSON)
    assert late.status_code == 409
    assert json.loads(late.content)["code"] == "wrong_stage"
    for name in ("rubric-line-remove", "rubric-line-merge", "rubric-line-split"):
        assert browser.post(url(name, task, line), editor(line)).status_code == 409
    assert browser.post(url("rubric-line-add", task), {"text": "x y z"}).status_code == 409
    assert browser.post(url("rubric-send", task)).status_code == 409
    line.refresh_from_db()
    assert line.text.startswith("States figure")
    assert open_count(task) == 0


def open_count(task: Task) -> int:
    return task.rubric_versions.filter(frozen_at__isnull=True).count()


# --- cost ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("lines", [3, 40])
def test_the_workbench_takes_the_same_few_queries_whatever_its_length(
    refining: Callable[..., Task],
    browser: Client,
    lines: int,
    django_assert_max_num_queries: Any,
) -> None:
    task = refining(lines=lines)
    with django_assert_max_num_queries(19):
        browser.get(url("rubric", task))


def test_a_save_takes_few_queries(
    refining: Callable[..., Task], browser: Client, django_assert_max_num_queries: Any
) -> None:
    task = refining(lines=40)
    line = lines_of(task)[0]
    with django_assert_max_num_queries(30):
        browser.post(url("rubric-line", task, line), editor(line, weight=9), **JSON)


def test_the_pages_beside_it_take_few_queries(
    refining: Callable[..., Task], browser: Client, django_assert_max_num_queries: Any
) -> None:
    task = refining(lines=40)
    for name in ("rubric-draft", "rubric-versions"):
        with django_assert_max_num_queries(19):
            browser.get(url(name, task))


def test_one_seat_stays_one_seat(task: Task, author: User) -> None:
    assert Seat.objects.filter(task=task, user=author).count() == 1
    assert open_version(task).number == 2

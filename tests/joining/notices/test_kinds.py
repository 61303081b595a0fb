"""Every kind of notice has words in both languages. A new kind without facts here fails."""

import re

import pytest
from django.db import transaction
from django.utils import translation

from curation.joining.notices import email_digest, notify
from curation.joining.notices.models import Notice

DOMAIN = {"domain": "Finance", "domain_zh": "金融"}
TASK = {"task": "Price a <b>swap</b>"}
DUE = {"due": "2026-11-27T10:00:00+00:00"}

FACTS = {
    "application_admitted": DOMAIN | {"reason": "A lender with the years it takes."},
    "application_rejected": DOMAIN | {"reason": "The licence has lapsed."},
    "exam_passed": DOMAIN,
    "exam_not_passed": DOMAIN,
    "exam_closed": DOMAIN,
    "attempt_open": DOMAIN,
    "training_changed": {},
    "answers_waiting": DOMAIN,
    "answers_overdue": DOMAIN,
    "marks_overdue": DOMAIN,
    "trial_waiting": DOMAIN,
    "trial_returned": DOMAIN,
    "trial_accepted": DOMAIN,
    "trial_rejected": DOMAIN,
    "suspended": DOMAIN | {"reason": "Three prompts copied."},
    "reinstated": DOMAIN | {"reason": "Explained."},
    "senior_made": DOMAIN,
    "senior_ended": DOMAIN,
    "task_returned": TASK,
    "task_rejected": TASK,
    "task_kept": TASK,
    "rubric_ready": TASK | {"n": 17},
    "rubric_by_rules": TASK | {"n": 1},
    "rubric_empty": TASK | {"n": 0},
    "draft_written": TASK,
    "draft_not_written": TASK | {"reason": "The model refused to write about this task."},
    "task_discarded": TASK,
    "slot_granted": {},
    "panel_place_given": TASK | DOMAIN | DUE,
    "panel_place_due": TASK | DUE,
    "panel_place_expired": TASK | DOMAIN,
    "reference_check_given": TASK | DOMAIN | DUE,
    "reference_check_due": TASK | DUE,
    "solve_given": TASK | DOMAIN | DUE,
    "solve_due": TASK | DUE,
    "solvers_disagree": TASK | DOMAIN,
    "second_look_asked": TASK | DOMAIN,
    "applications_waiting": {"n": 2},
    "held_up": {"n": 1},
    "review_assigned": TASK | DOMAIN | DUE,
    "review_due": TASK | DUE,
    "review_answered": TASK | DUE | {"round": 2},
    "review_expired": TASK,
    "conflict_to_confirm": {},
    "conflict_work_ended": TASK,
    "conflict_upheld": {"reason": "The publication list shows it."},
    "conflict_ended": {"reason": "It is over."},
    "review_to_senior": TASK,
    "lines_decided": TASK,
    "one_more_round": TASK,
    "decision_waiting": TASK | DOMAIN,
    "review_returned": TASK | {"n": 3},
    "task_approved": TASK,
    "skill_approved": TASK,
    "task_reopened": TASK,
    "spot_check_returned": TASK,
    "spot_check_waiting": TASK | DOMAIN,
    "spot_check_accepted": TASK,
    "spot_check_reviewed_again": TASK,
    "spot_check_discarded": TASK,
    "application_reopened": DOMAIN | {"reason": "The licence was found."},
    "task_taken_back": TASK,
    "amendment_waiting": TASK | DOMAIN,
    "amendment_by_staff": TASK,
    "amendment_refused": TASK,
    "amendment_agreed": TASK,
    "amendment_rubric": TASK,
    "amendment_in_force": TASK,
    "review_text_amended": TASK,
    "review_begins_anew": TASK,
    "sheet_of_earlier_text": TASK,
    "rubric_taken_over": TASK,
    "rubric_given_away": TASK,
    "skill_begun": TASK,
    "sheet_assigned": TASK | DOMAIN | DUE,
    "sheet_due": TASK | DUE,
    "graded_sheet_assigned": TASK | DOMAIN | DUE,
    "graded_sheet_due": TASK | DUE,
    "graded_sheet_again": TASK | DUE,
    "sheet_returned": TASK,
    "baseline_replaced": TASK,
    "rubric_changed_score_again": TASK | DUE,
    "anchor_waiting": TASK | DOMAIN,
    "anchor_again": TASK,
    "reminded": TASK,
    "reminded_with_date": TASK | DUE,
    "reminded_late": TASK | DUE,
    "deadline_extended": TASK | DUE,
    "erratum_decided": {"release": 3},
    "honoraria_approved": {},
    "honoraria_paid": {},
    "honorarium_refused": {"reason": "It was paid with the workshop."},
    "import_done": {"file": "tasks.csv", "added": "1,346", "unchanged": "0"},
    "import_failed": {"file": "tasks.csv"},
    "scorer_ready": DOMAIN,
    "practise_again": DOMAIN,
    "scoring_paused": DOMAIN,
    "scorer_paused": DOMAIN,
    "practice_none_left": DOMAIN,
    "question_asked": DOMAIN,
    "question_asked_on": DOMAIN,
    "question_answered": DOMAIN,
    "question_answer_corrected": DOMAIN,
    "question_shared": DOMAIN,
    "guideline_published": DOMAIN | {"version": 2, "reason": "Rounding is described."},
    "programme_guideline_published": {"version": 2, "reason": "Where to ask."},
    "announcement": {"title": "Scoring pauses this week"},
}
HAN = re.compile(r"[\u4e00-\u9fff]")
OURS = {key for key in notify.KINDS if not key.startswith("test_")}


def test_every_kind_has_facts_here_and_none_is_left_over():
    assert set(FACTS) == OURS


@pytest.mark.parametrize("kind", sorted(FACTS))
def test_a_notice_says_everything_in_both_languages(kind):
    told = Notice(kind=kind, data=FACTS[kind])
    said = {}
    for language in ("en", "zh-hans"):
        with translation.override(language):
            said[language] = notify.words(told)
    for words in said.values():
        assert words.title
        assert words.text
        assert words.button
        everything = f"{words.title} {words.text} {words.button}"
        assert "%" not in everything, "a fact was left out"
        assert "–" not in everything.replace(FACTS[kind].get("task", " "), ""), "a fact is missing"
        assert words.reason == FACTS[kind].get("reason", "")
    english, chinese = said["en"], said["zh-hans"]
    assert not HAN.search(english.title + english.text + english.button)
    for part in (chinese.title, chinese.text, chinese.button):
        assert HAN.search(part), part
    if "domain" in FACTS[kind]:
        assert "Finance" not in chinese.title + chinese.text
    if "due" in FACTS[kind]:
        assert "Fri 27 Nov" in english.title + english.text
        assert "11 月 27 日 周五" in chinese.title + chinese.text


@pytest.mark.parametrize("kind", sorted(FACTS))
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_its_e_mail_has_the_words_the_link_and_no_markup_of_a_title(kind, language, author):
    author.language = language
    told = Notice.objects.create(
        recipient=author, kind=kind, data=FACTS[kind], url="/tasks/7/", once="x"
    )
    with translation.override(language):
        words = notify.words(told)
    letter = email_digest.compose_email(author, [told])
    assert letter.subject == words.title
    assert letter.to == [author.email]
    html = letter.alternatives[0][0]
    link = f"http://127.0.0.1:8000/tasks/7/#notice-{told.pk}"
    for part in (words.title, words.text, link):
        assert part in letter.body
    assert f'href="{link}"' in html
    assert "<b>" not in html
    assert "%(" not in letter.body + html


def test_a_plural_counts(author):
    def title(n: int) -> str:
        return notify.words(Notice(kind="applications_waiting", data={"n": n})).title

    assert title(1) == "1 application is waiting for the staff"
    assert title(5) == "5 applications are waiting for the staff"


def test_a_notice_of_a_kind_nobody_knows_any_more_still_leads_to_its_place(author, sign_in):
    Notice.objects.create(recipient=author, kind="of_old_times", url="/tasks/", once="x")
    page = sign_in(author).get("/notices/").content.decode()
    assert "Something changed" in page


def test_a_fact_an_older_notice_lacks_breaks_no_page():
    assert notify.words(Notice(kind="task_kept", data={})).title == "The panel keeps “–”"


def test_only_places_inside_the_product_are_told(author):
    for place in ("https://elsewhere.example/", "//elsewhere.example/", "javascript:x", "tasks/"):
        with pytest.raises(ValueError, match="inside the product"):
            notify.send_notice(author, "slot_granted", once="x", url=place)
    with pytest.raises(KeyError):
        notify.send_notice(author, "no_such_kind", once="x", url="/")
    assert not Notice.objects.exists()


def test_an_occasion_is_told_once_and_nobody_who_left_is_told(author, peer):
    peer.is_active = False
    peer.save()
    for _again in range(3):
        notify.send_notices([author, peer], "slot_granted", once="the same", url="/tasks/")
    assert list(Notice.objects.values_list("recipient", flat=True)) == [author.pk]


def test_what_is_rolled_back_was_never_told(author):
    with transaction.atomic():
        notify.send_notice(author, "slot_granted", once="x", url="/tasks/")
        transaction.set_rollback(True)
    assert not Notice.objects.exists()

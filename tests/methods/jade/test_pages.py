"""What pages show of JADE: gates, evidence beside claims, gaps, and no unsafe link."""

import html
import re

import pytest
from django.urls import reverse

from judge.methods.jade.ablations import JadeSkills
from judge.methods.jade.method import Jade
from tests.markup import one_line
from tests.methods.jade.test_method_scores import YES, judged, verdict
from tests.methods.jade.test_report_reading import reply

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(sign_in, staff):
    return sign_in(staff)


def raw(browser, response, run):
    answer = browser.get(reverse("verdict", args=[response.pk]), {"judge": run.pk})
    assert answer.status_code == 200
    return answer.content.decode()


def seen(browser, response, run):
    return re.sub(r"<[^>]+>", " ", one_line(html.unescape(raw(browser, response, run))))


def words_of(browser, response, run):
    return " ".join(seen(browser, response, run).split())


def mixed(**more):
    """c1 refuted (carries q1 and r2), c2 supported, c3 not decided (carries the flaw r1)."""
    verdicts = [
        verdict("refuted", 80, why="The page asks $3.50.", found_value="$3.50"),
        verdict(confidence=90, entailment=None),
        verdict("unverifiable", entailment=None),
    ]
    return judged(Jade(), verdicts, YES, **more)


class TestAResponse:
    def test_scores_and_gaps_stand_on_top(self, browser, planted):
        """S_reason = (5 - 15) / 25, S_evid = (0 + 9/10 + 1/4) / 3."""
        walk = mixed()
        score = walk.score
        page = words_of(
            browser, *planted(walk.findings, score=(score.numerator, score.denominator))
        )
        assert "0.0 points of 100: reasoning 0.0 % × evidence 38.3 %" in page
        assert "Reasoning, before it is cut off at 0 -40.0 %" in page.replace("−", "-")
        assert "Evidence–reasoning gap 78.3 %" in page

    def test_an_item_that_fails_names_the_claim_that_fails_it(self, browser, planted):
        page = words_of(browser, *planted(mixed().findings))
        assert "3 of 5 items do not count, because a claim that they rest on fails." in page
        assert "counts nothing c1 refuted" in page
        assert "counts as there c3 cannot be verified" in page

    def test_items_that_fail_are_greyed_and_others_are_not(self, browser, planted):
        page = raw(browser, *planted(mixed().findings))
        assert re.search(r'class="jade-row is-off" id="item-q1"', page)
        assert re.search(r'class="jade-row" id="item-q2"', page)

    def test_a_partly_answered_item_is_neither_a_tick_nor_a_cross(self, browser, planted):
        walk = judged(JadeSkills(), (), {"q1": "yes", "q2": "partly", "q3": "no"})
        page = raw(browser, *planted(walk.findings, score=(25, 30), method="jade_skills"))
        (item,) = re.findall(r'id="item-q2">.*?</li>', page, re.DOTALL)
        assert re.search(r'class="state state-wait"\s*>', item)
        assert "state-yes" not in item

    def test_lines_of_the_rubric_that_nobody_judged_are_not_listed(self, browser, planted):
        response, run = planted(mixed().findings)
        shown = browser.get(reverse("verdict", args=[response.pk]), {"judge": run.pk})
        assert shown.context["page"].lines
        page = shown.content.decode()
        assert '<ol class="lines">' not in page
        assert 'name="importance"' not in page

    def test_the_graph_is_a_picture_with_its_finding_in_words(self, browser, planted):
        page = html.unescape(raw(browser, *planted(mixed().findings)))
        said = "Because c1 does not hold, these count against the response: q1, r2."
        assert f'role="img" aria-label="3 items rest on claims. {said}' in page
        assert page.count('class="gate-closed"') == 3
        assert page.count('class="gate-open"') == 1

    def test_each_claim_has_verdict_confidence_address_passage_and_day(self, browser, planted):
        page = words_of(browser, *planted(mixed().findings))
        assert "refuted confidence 80 % · counts 0 %" in page
        assert "The page asks $3.50. The page says $3.50." in page
        assert "Acme sells cups at $3.50. Acme · https://acme.example/p · fetched Sun 1 Mar" in page
        assert "supported confidence 90 % · counts 90 %" in page
        assert "cannot be verified confidence 100 % · counts 25 %" in page

    def test_laundering_is_named_beside_the_verdict(self, browser, planted):
        walk = judged(Jade(), [verdict(entailment="does_not_say"), verdict(), verdict()])
        page = words_of(browser, *planted(walk.findings))
        assert "Laundered: The cited page does not say so." in page
        assert "1 of the 1 whose cited page was read far enough (1 cite a source)" in page

    def test_silence_of_a_page_that_was_not_read_whole_is_no_laundering(self, browser, planted):
        findings = judged(Jade()).findings
        findings["claim:c1"] |= {"entailment": "not_found", "laundered": False}
        page = words_of(browser, *planted(findings))
        assert "Laundered:" not in page
        assert "Not found in what was read of the cited page" in page
        assert "0 of the 0 whose cited page was read far enough (1 cite a source)" in page

    def test_a_day_for_the_next_verification_is_shown(self, browser, planted):
        report = reply()
        report["claims"][0]["recheck_days"] = 30
        page = words_of(browser, *planted(judged(Jade(), report=report).findings))
        assert "verify it again after Tue 31 Mar" in page

    def test_a_number_stands_with_its_tolerance_and_both_dates(self, browser, planted):
        report = reply()
        report["claims"][0].update(value="3.50", unit="USD", date="2026", tolerance=0)
        verdicts = [verdict("refuted", found_value="$3.50", found_date="2025"), *[verdict()] * 2]
        page = words_of(browser, *planted(judged(Jade(), verdicts, report=report).findings))
        assert "Number: 3.50 USD, may be 0.0 % off · 2026" in page
        assert "The page says $3.50. It holds for 2025." in page

    def test_a_source_that_failed_is_said_and_no_score_shown(self, browser, planted):
        findings = {**mixed().findings, "claim:c1": None, "found:c1": None}
        page = words_of(browser, *planted(findings, score=(None, 2)))
        assert "No score The verifier failed on a claim. Continue the run" in page
        assert "not verified" in page
        assert "Evidence unknown" in page

    def test_a_response_without_claims_says_why_it_counts_0(self, browser, planted):
        report = {"claims": [], "items": [], "rests_on": []}
        walk = judged(Jade(), (), {"q1": "yes", "q2": "yes", "q3": "no"}, report)
        page = words_of(browser, *planted(walk.findings, score=(0, 2)))
        assert "The response has no claim that could be verified, which counts as 0." in page

    def test_an_address_that_is_not_safe_is_text_and_no_link(self, browser, planted):
        findings = mixed().findings
        for address in (
            "javascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "ftp://acme.example/p",
            "https://acme.example\\@evil.example/",
        ):
            findings["report"]["claims"][0]["source"] = address
            findings["found:c1"]["excerpts"][0]["address"] = address
            page = raw(browser, *planted(findings))
            assert f'href="{html.escape(address)}"' not in page
            assert html.escape(address) in page

    def test_what_pages_and_responses_wrote_is_escaped(self, browser, planted):
        findings = mixed().findings
        evil = "<img src=x onerror=alert(1)>"
        findings["found:c1"]["excerpts"][0].update(text=evil, title=evil)
        findings["report"]["claims"][0].update(text=evil, quote=evil)
        findings["item:q2"].update(why=evil, quote=evil)
        assert evil not in raw(browser, *planted(findings))

    def test_a_note_on_a_hostile_page_is_shown(self, browser, planted):
        findings = mixed().findings
        findings["found:c1"]["excerpts"][0]["notes"] = ["instructions", "changed"]
        page = words_of(browser, *planted(findings))
        assert "It gives orders to the judge." in page
        assert "An earlier copy says something else." in page

    def test_skills_alone_show_no_claims(self, browser, planted):
        walk = judged(JadeSkills(), (), {"q1": "yes", "q2": "partly", "q3": "no"})
        page = words_of(browser, *planted(walk.findings, score=(25, 30), method="jade_skills"))
        assert "83.3 points of 100: reasoning alone, nothing is verified" in page
        assert "What rests on what" not in page

    def test_the_page_in_chinese_has_no_english_left(self, browser, planted):
        browser.cookies["django_language"] = "zh-hans"
        page = words_of(browser, *planted(mixed().findings))
        for english in ("What rests on what", "cannot be verified", "counts nothing", "fetched"):
            assert english not in page


class TestARun:
    def test_gaps_laundering_and_density_stand_in_a_table(self, browser, planted):
        _response, run = planted(mixed().findings)
        page = browser.get(reverse("staff-run", args=[run.pk])).content.decode()
        said = " ".join(re.sub(r"<[^>]+>", " ", one_line(html.unescape(page))).split())
        assert "Evidence–reasoning gap" in said
        assert "78.3" in said

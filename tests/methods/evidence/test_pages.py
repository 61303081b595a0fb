"""Staff's pages of the source tiers, and the sources on the page of a response."""

import html

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judge.asking.candidates.models import Response
from judge.methods.evidence.tiers.models import SourceTiers
from judge.methods.evidence.tiers.queries import list_page
from tests.markup import words_of
from tests.results.alignment.conftest import Bench, bench, fill_three  # noqa: F401

pytestmark = pytest.mark.django_db

LIST, EDIT = "/staff/methods/source-tiers/", "/staff/methods/source-tiers/edit/"
TEXT = (
    "见（https://www.gov.uk/guidance）。 See [the study](https://www.nature.com/articles/1), "
    "https://blog.example.com/x and ftp://files.example.com."
)


@pytest.fixture
def desk(sign_in, staff):
    return sign_in(staff)


def seen(desk, page, /, **query):
    answer = desk.get(page, query)
    assert answer.status_code == 200, answer.content[:300]
    return words_of(html.unescape(answer.content.decode()))


def form(**change):
    shown = {f"tier_{row.tier}": "\n".join(row.domains) for row in list_page().tiers}
    return {**shown, "reason": "Trade portals count.", "read": "0", **change}


class TestTheList:
    def test_the_built_in_list_is_shown_by_tier_in_few_queries(self, desk):
        with CaptureQueriesContext(connection) as queries:
            page = seen(desk, LIST)
        assert len(queries) <= 12
        for words in ("Tier 1: Official", "score 0.75", "gov.uk", "The built-in list is in force."):
            assert words in page
        assert "B from 0.60, C from 0.45, D from 0.30" in page
        assert "Source tiers" in seen(desk, reverse("staff-methods"))

    @pytest.mark.parametrize(
        ("address", "said"),
        [
            ("https://www.gov.uk/x", "Tier 1: Official www.gov.uk is covered by the entry gov.uk."),
            ("https://notgov.uk/x", "Tier 4: Unknown, or anybody's texts notgov.uk · In no list"),
            ("https://gov.uk@evil.example", "evil.example · In no list"),
            ("http://10.0.0.1/", "texts A number instead of a domain"),
            ("gov.uk", "No web address"),
            ("https://a.example\\@gov.uk", "Cannot be read for certain"),
        ],
    )
    def test_an_address_is_looked_up(self, desk, address, said):
        assert said in seen(desk, LIST, address=address)

    @pytest.mark.parametrize("query", ["?tier=1", "?address=" + "a" * 4001, "?address=%00"])
    def test_what_cannot_be_looked_up_is_refused(self, desk, query):
        assert desk.get(LIST + query).status_code == 400

    def test_a_list_is_set_with_a_reason_and_what_it_changed_stays_on_record(self, desk):
        page = list_page()
        tier_3 = "\n".join([*page.tiers[2].domains, "Trade.Example", "例子.测试"])
        tier_1 = "\n".join(d for d in page.tiers[0].domains if d != "google.com")
        tier_2 = "\n".join([*page.tiers[1].domains, "google.com"])
        answer = desk.post(EDIT, form(tier_1=tier_1, tier_2=tier_2, tier_3=tier_3))
        assert answer.status_code == 302
        shown = seen(desk, LIST)
        for words in (
            "List 1",
            "Trade portals count.",
            "trade.example added to tier 3",
            "google.com moved from tier 1 to tier 2",
            "例子.测试",
        ):
            assert words in shown
        assert "Tier 3" in seen(desk, LIST, address="https://shop.trade.example/")
        desk.post(EDIT, form(tier_3="trade.example", read="1", reason="Fewer."))
        removed = len(page.tiers[2].domains) + 1  # all but one of those set above
        later = seen(desk, LIST)
        assert "removed from tier 3" in later
        assert f"and {removed - 20} more changes" in later
        assert SourceTiers.objects.count() == 2

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"reason": " "}, "Say why in a sentence."),
            ({"tier_2": "https://a.org\nb.org"}, "These are no domains: https://a.org."),
            ({"tier_2": "*.a.org"}, "These are no domains: *.a.org."),
            ({"tier_3": "gov.uk"}, "A domain has one tier; these have several: gov.uk."),
            ({}, "This is the list in force: nothing changed."),
            (dict.fromkeys(("tier_1", "tier_2", "tier_3", "tier_4"), ""), "at least one domain"),
            ({"tier_4": "\n".join(f"a{n}.org" for n in range(5000))}, "at most 5,000 domains"),
        ],
    )
    def test_a_list_that_makes_no_sense_is_refused_and_nothing_is_lost(
        self, desk, change, sentence
    ):
        answer = desk.post(EDIT, form(**change))
        assert answer.status_code == 400
        assert sentence in words_of(html.unescape(answer.content.decode()))
        assert "Trade portals count." in answer.content.decode() or "reason" in change
        assert not SourceTiers.objects.exists()

    def test_two_lists_at_once_are_one_and_a_conflict(self, desk):
        assert desk.post(EDIT, form(tier_3="a.org")).status_code == 302
        answer = desk.post(EDIT, form(tier_3="b.org"))
        assert answer.status_code == 409
        assert b"b.org" in answer.content
        assert SourceTiers.objects.count() == 1

    def test_a_stored_list_is_never_changed(self, desk):
        desk.post(EDIT, form(tier_3="a.org"))
        row = SourceTiers.objects.get()
        with pytest.raises(TypeError, match="never changed"):
            row.save()
        with pytest.raises(TypeError, match="never deleted"):
            row.delete()

    def test_only_staff_see_it(self, sign_in, author):
        for address in (LIST, EDIT):
            assert sign_in(author).get(address).status_code in (403, 404)


class TestAResponse:
    @pytest.fixture
    def judged(self, bench: Bench):  # noqa: F811
        fill_three(bench)
        return bench.run({("one", "Cedar"): (1, 1, 0, 1)})

    def cite(self, text):
        Response.objects.filter(key="one-Cedar").update(text=text)
        return reverse("verdict", args=[Response.objects.get(key="one-Cedar").pk])

    def test_its_sources_stand_in_order_with_their_tiers_and_a_grade(self, judged, desk):
        page = seen(desk, self.cite(TEXT.replace("ftp:", "[x](ftp:") + ")"), judge=judged.pk)
        # (1 + 0.75 / 2 + 0.25 / 3 + 0.25 / 4) / (25 / 12) = 0.73
        assert "4 sources: grade B (Q 0.73 of 1)." in page
        assert "1 https://www.gov.uk/guidance 1 Official" in page
        assert "2 https://www.nature.com/articles/1 2 Research, data and news" in page
        assert "3 https://blog.example.com/x 4 In no list" in page
        assert "No web address" in page
        assert "cite the best" not in page

    def test_below_b_it_says_what_to_do(self, judged, desk):
        page = seen(desk, self.cite("See https://blog.example.com/x."))
        assert "1 source: grade F (Q 0.25 of 1). No source is official" in page
        assert "support it by a second" in page

    def test_a_new_list_changes_the_grade(self, judged, desk):
        address = self.cite("See https://blog.example.com/x.")
        desk.post(EDIT, form(tier_1="example.com"))
        assert "1 source: grade A (Q 1.00 of 1)." in seen(desk, address)

    def test_a_response_without_sources_says_nothing_of_them(self, judged, desk):
        assert "Sources it cites" not in seen(desk, self.cite("Everybody knows it."))

    def test_sources_cost_one_query_however_many_there_are(self, judged, desk):
        def asked(text):
            address = self.cite(text)
            with CaptureQueriesContext(connection) as queries:
                seen(desk, address, judge=judged.pk)
            return len(queries)

        asked("warm")
        few, many = asked("https://a.org"), asked(" ".join(f"https://a{n}.org" for n in range(90)))
        assert few == many == asked("none") + 1

    def test_a_hostile_address_does_no_harm(self, judged, desk):
        text = "[<script>](https://a.org/<script>alert(1)</script>) https://a.org/\"onload='x"
        answer = desk.get(self.cite(text))
        assert answer.status_code == 200
        assert b"<script>alert" not in answer.content

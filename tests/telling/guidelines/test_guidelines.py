"""A guideline in versions: written, published, read, compared."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from curation.base.web.refusals import Conflict
from curation.joining.notices.models import Notice
from curation.tasks.authoring.actions import create_task
from curation.telling.guidelines.actions import publish_guideline, save_guideline
from curation.telling.guidelines.models import Guideline, GuidelineReading, GuidelineVersion
from curation.telling.guidelines.queries import guideline_named
from curation.telling.questions.models import AskedQuestion
from curation.telling.questions.subjects import guideline_rules
from tests.markup import words_of

pytestmark = pytest.mark.django_db
FIRST = "# Sources\n\nName the source of each figure.\n\n## Rounding\n\nRound to one decimal."
SECOND = FIRST.replace("one decimal", "two decimals")


def published(staff: Any, text: str, said: str, key: str = "finance") -> GuidelineVersion:
    found = guideline_named(key)
    return publish_guideline(
        actor=staff, guideline=found, version=found.draft_version, text=text, what_changed=said
    )


def words(client: Any, route: str, *args: Any) -> str:
    return words_of(client.get(reverse(route, args=args)).content.decode())


@pytest.fixture
def first(staff: Any, finance: Any) -> GuidelineVersion:
    return published(staff, FIRST, "The first version.")


@pytest.fixture
def second(staff: Any, first: Any) -> GuidelineVersion:
    return published(staff, SECOND, "Figures have two decimals now.")


class TestWriting:
    def test_a_draft_is_read_by_staff_alone_until_it_is_published(
        self, finance, author, staff, sign_in
    ):
        client, url = sign_in(staff), reverse("staff-guideline", args=["finance"])
        assert client.post(url, {"version": 0, "text": FIRST, "save": "1"}).status_code == 302
        assert sign_in(author).get(reverse("guideline", args=["finance"])).status_code == 404
        assert "Draft not published" in words_of(client.get(url).content.decode())
        sent = {"version": 1, "text": FIRST, "what_changed": "The first version.", "publish": "1"}
        assert client.post(url, sent).status_code == 302
        page = sign_in(author).get(reverse("guideline", args=["finance"])).content.decode()
        assert "Name the source of each figure." in page
        assert Notice.objects.get(kind="guideline_published").recipient == author

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"what_changed": " "}, "Say what changed"),
            ({"text": " "}, "Write the guideline first."),
            ({"text": "a\x00b"}, "Null characters"),
        ],
    )
    def test_what_cannot_be_published_is_refused(self, finance, staff, sign_in, changed, said):
        sent = {"version": 0, "text": FIRST, "what_changed": "New.", "publish": "1", **changed}
        reply = sign_in(staff).post(reverse("staff-guideline", args=["finance"]), sent)
        assert reply.status_code == 400
        assert said in words_of(reply.content.decode())
        assert not GuidelineVersion.objects.exists()

    def test_a_text_in_force_is_not_published_again(self, first, staff):
        with pytest.raises(Conflict) as refused:
            published(staff, FIRST, "Nothing.")
        assert refused.value.code == "no_change"

    def test_a_draft_that_a_colleague_saved_meanwhile_is_not_overwritten(self, first, staff):
        found = guideline_named("finance")
        save_guideline(actor=staff, guideline=found, version=1, text="Mine.")
        with pytest.raises(Conflict) as refused:
            save_guideline(actor=staff, guideline=found, version=1, text="Yours.")
        assert refused.value.code == "changed_meanwhile"
        assert guideline_named("finance").draft == "Mine."

    def test_the_programme_has_one_guideline(self, db):
        Guideline.objects.create()
        with pytest.raises(IntegrityError), transaction.atomic():
            Guideline.objects.create()


class TestReading:
    def test_home_says_what_changed_until_it_is_read(self, second, author, sign_in):
        client, url = sign_in(author), reverse("guideline-read", args=["finance"])
        assert "At hand while you write: the guideline of Finance" in words(client, "home")
        create_task(actor=author, domain=second.guideline.domain)
        assert "Read the guideline of Finance" in words(client, "home")
        client.post(url, {"number": "1"})
        page = words(client, "home")
        assert "The guideline of Finance changed" in page
        assert "Figures have two decimals now." in page
        page = client.get(reverse("guideline", args=["finance"])).content.decode()
        assert "Since version 1, which you read:" in page
        assert "<ins>" in page
        client.post(url, {"number": "2"})
        client.post(url, {"number": "1"})
        assert GuidelineReading.objects.get(user=author).number == 2
        assert "guideline of Finance" not in words(client, "home")

    def test_staff_see_how_many_have_read_the_version_in_force(
        self, second, author, peer, staff, sign_in
    ):
        sign_in(author).post(reverse("guideline-read", args=["finance"]), {"number": "2"})
        sign_in(peer).post(reverse("guideline-read", args=["finance"]), {"number": "1"})
        page = words(sign_in(staff), "staff-guideline", "finance")
        assert "1 of 2 who work by it have read version 2." in page

    @pytest.mark.parametrize("number", ["0", "3", "x", "-1", "9" * 30])
    def test_a_version_that_does_not_exist_is_not_read(self, second, author, sign_in, number):
        url = reverse("guideline-read", args=["finance"])
        assert sign_in(author).post(url, {"number": number}).status_code == 400

    def test_older_versions_stay_with_their_differences(self, second, author, sign_in):
        client = sign_in(author)
        assert "Round to one decimal." in words(client, "guideline-version", "finance", 1)
        address = reverse("guideline-version", args=["finance", 2])
        page = client.get(address).content.decode()
        assert "<ins>" in page
        assert "Figures have two decimals now." in page
        address = reverse("guideline-version", args=["finance", 3])
        assert client.get(address).status_code == 404

    def test_experts_of_other_domains_and_applicants_read_that_of_the_programme_alone(
        self, second, staff, stranger, applicant, sign_in
    ):
        published(staff, "# Manners\n\nBe kind.", "The first version.", key="programme")
        kinds = Notice.objects.filter(kind="programme_guideline_published")
        assert [row.recipient for row in kinds] == [stranger]
        for user in (stranger, applicant):
            client = sign_in(user)
            assert client.get(reverse("guideline", args=["finance"])).status_code == 404
            assert "Be kind." in words(client, "guideline", "programme")
            assert "Finance" not in words(client, "guidelines").split("Guidelines", 1)[1]
        assert "the guideline of the programme" in words(sign_in(stranger), "home")
        assert "guideline of the programme" not in words(sign_in(applicant), "home")

    def test_its_headings_are_rules_to_ask_about(self, second, author, finance, sign_in):
        assert guideline_rules(finance.pk) == ["Sources", "Rounding"]
        sent = {"domain": "finance", "rule": "guideline:Rounding", "text": "Percentages too?"}
        assert sign_in(author).post(reverse("question-about-rule"), sent).status_code == 302
        assert AskedQuestion.objects.get().about == "the rule “Rounding”"
        sent["rule"] = "guideline:Nothing"
        assert sign_in(author).post(reverse("question-about-rule"), sent).status_code == 400

"""Answers that a whole domain reads: who shares them, what must not stand in them."""

import pytest
from django.urls import reverse

from curation.joining.notices.models import Notice
from curation.tasks.task.models import Task
from curation.telling.questions.models import SharedAnswer
from curation.telling.questions.sharing_actions import quotation
from curation.telling.questions.subjects import lines_for
from rubrics.workbench import registrations
from tests.markup import words_of
from tests.telling.questions.conftest import TEXT

pytestmark = pytest.mark.django_db
GENERAL = {
    "asked": "How exactly must a figure be stated?",
    "answered": "As exactly as the material has it.",
}


@pytest.fixture
def shared(answered, senior, sign_in):
    reply = sign_in(senior).post(reverse("question-share", args=[answered.pk]), GENERAL)
    assert reply.status_code == 302
    return SharedAnswer.objects.get()


def test_everybody_qualified_in_the_domain_reads_it_without_the_task(
    task, shared, line, asking_world, finance, sign_in
):
    for name in ("colleague", "author", "tied", "staff"):
        page = sign_in(asking_world[name]).get(reverse("faq", args=[finance.key]))
        words = words_of(page.content.decode())
        assert GENERAL["asked"] in words
        assert GENERAL["answered"] in words
        for hidden in (TEXT, task.title, line.text, "reviewer", "line 3"):
            assert hidden not in words
    assert Notice.objects.filter(kind="question_shared").count() == 1


def test_a_stranger_and_an_applicant_read_none(shared, finance, stranger, applicant, sign_in):
    for user in (stranger, applicant):
        assert sign_in(user).get(reverse("faq", args=[finance.key])).status_code == 404


@pytest.mark.parametrize(
    ("answered_with", "said"),
    [
        ("Net debt is EUR 96.4 million; the purchase adds it.", "This quotes the task"),
        ("Expert 12 says so.", "Name nobody here"),
        ("Write to ann@example.test.", "Name nobody here"),
        ("Dr Weber says so.", "Name nobody here"),
        (" ", "Write the answer."),
    ],
)
def test_what_tells_of_the_task_or_names_somebody_is_refused(
    answered, senior, sign_in, answered_with, said
):
    url = reverse("question-share", args=[answered.pk])
    reply = sign_in(senior).post(url, {**GENERAL, "answered": answered_with})
    assert reply.status_code == 400
    assert said in words_of(reply.content.decode())
    assert not SharedAnswer.objects.exists()


def test_the_line_and_the_title_are_quotations_too(task, answered, line, senior, sign_in):
    Task.objects.filter(pk=task.pk).update(title="Covenant headroom after the second purchase")
    url = reverse("question-share", args=[answered.pk])
    other = line.version.criteria.all()[5].text
    for text in (line.text, other, "See covenant headroom after the second purchase."):
        assert sign_in(senior).post(url, {**GENERAL, "asked": text}).status_code == 400


def test_a_line_that_whoever_shares_may_not_read_is_a_quotation_too(
    answered, line, senior, sign_in, monkeypatch
):
    monkeypatch.setattr(registrations, "allows", lambda *_args: False)
    assert lines_for(senior, answered.task) == []
    other = line.version.criteria.all()[5].text
    url = reverse("question-share", args=[answered.pk])
    assert sign_in(senior).post(url, {**GENERAL, "asked": other}).status_code == 400


def test_an_unanswered_question_is_not_shared(asked, senior, sign_in):
    url = reverse("question-share", args=[asked.pk])
    assert sign_in(senior).post(url, GENERAL).status_code == 409


def test_sharing_again_replaces_the_words_and_ending_it_removes_them(
    shared, answered, asking_world, staff, finance, sign_in
):
    client = sign_in(staff)
    sent = {**GENERAL, "answered": "To the decimal that the material has."}
    client.post(reverse("question-share", args=[answered.pk]), sent)
    assert SharedAnswer.objects.filter(ended_at=None).count() == 1
    address = reverse("faq", args=[finance.key])
    page = words_of(sign_in(asking_world["colleague"]).get(address).content.decode())
    assert "To the decimal" in page
    assert GENERAL["answered"] not in page
    url = reverse("question-unshare", args=[answered.pk])
    assert client.post(url).status_code == 302
    assert client.post(url).status_code == 409
    page = sign_in(asking_world["colleague"]).get(address).content.decode()
    assert "No answer is shared yet" in page


def test_the_asker_shares_nothing(answered, reviewer, sign_in):
    url = reverse("question-share", args=[answered.pk])
    assert sign_in(reviewer).post(url, GENERAL).status_code == 403


def test_quotations_are_found_in_english_and_chinese_and_chance_words_are_none():
    source = "Net debt is EUR 96.4 million; the purchase adds EUR 38.0 million."
    assert quotation("He says net debt is EUR 96.4 million, the rest follows.", [source])
    assert quotation("Net debt is a usual figure.", [source]) == ""
    assert quotation("请问收购后净负债是多少百万欧元？", ["收购后净负债是多少百万欧元"])
    assert quotation("anything at all", ["Two words"]) == ""

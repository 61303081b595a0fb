"""Files read in place: by whom, in which form, and pictures within a text."""

import io

import pytest
from PIL import Image

from curation.base.file_contents import limits, reading
from curation.base.file_contents.models import ContentPicture, FileContent
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.text.markdown import LinkedFile, to_html
from curation.tasks.authoring.actions import create_task
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Task
from tests import documents
from tests.attached import attach

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def draft(author, finance) -> Task:
    return create_task(actor=author, domain=finance, title="Covenant headroom")


def body(answer) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


class TestWhatIsShown:
    def test_a_pdf_is_shown_page_by_page_with_its_text(self, sign_in, author, draft):
        row = attach(draft, "annex.pdf", documents.pdf_with("Covenant", "Headroom is thin"))
        browser = sign_in(author)
        page = browser.get(f"/attachments/{row.pk}/view/").content.decode()
        assert f"/attachments/{row.pk}/pictures/2/" in page
        assert "Headroom is thin" in page
        assert not ContentPicture.objects.exists(), "a page is drawn when it is looked at"
        drawn = browser.get(f"/attachments/{row.pk}/pictures/2/")
        assert drawn["Content-Type"] == "image/png"
        assert drawn["X-Content-Type-Options"] == "nosniff"
        assert (
            drawn["Content-Security-Policy"]
            == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        )
        assert max(Image.open(io.BytesIO(body(drawn))).size) == limits.EDGE
        for number in (0, 3):
            assert browser.get(f"/attachments/{row.pk}/pictures/{number}/").status_code == 404

    def test_a_long_pdf_is_shown_up_to_the_limit_and_says_so(self, sign_in, author, draft):
        words = ["Covenant"] * (limits.PAGES + 2)
        row = attach(draft, "annex.pdf", documents.pdf_with(*words))
        browser = sign_in(author)
        page = browser.get(f"/attachments/{row.pk}/view/").content.decode()
        assert page.count("/pictures/") == limits.PAGES
        assert "Only the first 200 of 202 pages." in page
        assert browser.get(f"/attachments/{row.pk}/pictures/201/").status_code == 404

    def test_a_pdf_that_claims_more_pages_than_it_has_is_not_shown(self, sign_in, author, draft):
        data = documents.pdf_with("Covenant", "Headroom").replace(b"/Count 2", b"/Count 999999")
        row = attach(draft, "annex.pdf", data)
        page = sign_in(author).get(f"/attachments/{row.pk}/view/").content.decode()
        assert "/pictures/" not in page
        assert "so it cannot be read" in page

    def test_a_table_is_shown_as_a_table_and_its_text_is_never_markup(self, sign_in, author, draft):
        rows = [["year", "<b>debt</b>"], *([n, n * 2] for n in range(300))]
        row = attach(draft, "debt.xlsx", documents.workbook(Debt=rows))
        page = sign_in(author).get(f"/attachments/{row.pk}/view/").content.decode()
        assert "<caption>Debt</caption>" in page
        assert '<th scope="col">&lt;b&gt;debt&lt;/b&gt;</th>' in page
        assert page.count("<tr>") == 201
        assert "100 more rows are in the file" in page

    def test_a_part_of_a_page_holds_the_file_alone(self, sign_in, author, draft):
        row = attach(draft, "memo.docx", documents.word("# Memo", "Debt rose"))
        part = (
            sign_in(author)
            .get(f"/attachments/{row.pk}/view/", headers={"X-Parts": "1"})
            .content.decode()
        )
        assert part.strip().startswith(f'<div id="file-{row.pk}"')
        assert "<h3>Memo</h3>" in part
        assert "<html" not in part

    def test_what_cannot_be_read_says_why(self, sign_in, author, draft):
        broken = attach(draft, "broken.docx", b"PK\x03\x04 cut")
        waiting = attach(draft, "later.txt", b"later", read=False)
        browser = sign_in(author)
        assert "damaged" in browser.get(f"/attachments/{broken.pk}/view/").content.decode()
        assert "being read" in browser.get(f"/attachments/{waiting.pk}/view/").content.decode()
        assert browser.get(f"/attachments/{broken.pk}/pictures/1/").status_code == 404

    def test_a_file_that_left_the_storage_is_gone(self, sign_in, author, draft):
        row = attach(draft, "annex.pdf", documents.pdf_with("Covenant"))
        row.file.storage.delete(row.file.name)
        assert sign_in(author).get(f"/attachments/{row.pk}/pictures/1/").status_code == 410


class TestWhoReads:
    @pytest.mark.parametrize("role", [Role.SCREENER, Role.REVIEWER, Role.SCORER])
    def test_whoever_has_a_seat_reads_files_in_place_and_nobody_else(
        self, sign_in, author, peer, stranger, draft, role
    ):
        row = attach(draft, "plan.png", documents.picture())
        addresses = [f"/attachments/{row.pk}/{part}/" for part in ("view", "pictures/1")]
        Task.objects.filter(pk=draft.pk).update(stage=Stage.SCREENING)
        for address in addresses:
            assert sign_in(peer).get(address).status_code == 404
        take_seat(task=draft, user=peer, role=role)
        for address in addresses:
            assert sign_in(peer).get(address).status_code == 200
            assert sign_in(stranger).get(address).status_code == 404

    def test_one_content_in_two_tasks_is_read_through_each_ones_own_file(
        self, sign_in, author, peer, finance, draft
    ):
        other = create_task(actor=peer, domain=finance, title="Other")
        mine = attach(draft, "plan.png", documents.picture())
        theirs = attach(other, "their plan.png", documents.picture())
        assert FileContent.objects.count() == 1
        assert sign_in(author).get(f"/attachments/{mine.pk}/pictures/1/").status_code == 200
        assert sign_in(author).get(f"/attachments/{theirs.pk}/pictures/1/").status_code == 404

    def test_a_removed_file_is_not_read_in_place(self, sign_in, author, draft):
        row = attach(draft, "plan.png", documents.picture())
        sign_in(author).post(f"/attachments/{row.pk}/remove/")
        assert sign_in(author).get(f"/attachments/{row.pk}/view/").status_code == 404


class TestPicturesInATexts:
    FILES = {
        "a plan (1).png": LinkedFile("/attachments/7/view/", "/attachments/7/pictures/1/"),
        "debt.csv": LinkedFile("/attachments/8/view/"),
    }

    def test_a_reference_to_a_picture_shows_it(self):
        html = to_html("![The plan](attachment:a%20plan%20%281%29.png)", self.FILES)
        assert html == (
            '<p><img src="/attachments/7/pictures/1/" alt="The plan" loading="lazy"></p>\n'
        )

    def test_a_reference_to_another_file_links_to_it(self):
        for text in ("[the debt](attachment:debt.csv)", "![the debt](attachment:debt.csv)"):
            html = to_html(text, self.FILES)
            assert 'href="/attachments/8/view/"' in html
            assert ">the debt</a>" in html

    @pytest.mark.parametrize(
        "text",
        [
            "![words](attachment:other.png)",
            "![words](https://example.test/x.png)",
            "![words](/attachments/9/pictures/1/)",
            "![words](attachment:)",
            "[words](attachment:other.csv)",
            "[words](/attachments/9/)",
        ],
    )
    def test_a_reference_to_anything_else_stays_words(self, text):
        html = to_html(text, self.FILES)
        assert "words" in html
        for sign in ("<img", "href", "src", "/attachments/"):
            assert sign not in html

    def test_a_draft_shows_its_own_picture_and_never_anothers(
        self, sign_in, author, peer, finance, draft
    ):
        mine = attach(draft, "plan.png", documents.picture())
        other = create_task(actor=peer, domain=finance, title="Other")
        attach(other, "secret.png", documents.picture(colour="red"))
        text = "![Plan](attachment:plan.png) ![Secret](attachment:secret.png)"
        Task.objects.filter(pk=draft.pk).update(materials=text)
        page = sign_in(author).get(f"/tasks/{draft.pk}/").content.decode()
        assert f'<img src="/attachments/{mine.pk}/pictures/1/" alt="Plan"' in page
        assert "Secret" in page
        assert page.count("/pictures/") == 2, "in the text and among the files"


def test_a_page_that_would_wait_long_to_be_drawn_is_refused_with_what_to_do(
    sign_in, author, draft, monkeypatch
):
    row = attach(draft, "plan.pdf", documents.pdf_with("Covenant of 3.5x"))

    def busy(*_):
        raise reading.ReaderBusyError

    monkeypatch.setattr(reading, "page_picture", busy)
    answer = sign_in(author).get(f"/attachments/{row.pk}/pictures/1/")
    assert answer.status_code == 429
    assert "Load this one again in a minute" in answer.content.decode()

"""The document store: what it finds, and what it refuses to serve."""

import hashlib
import threading
from datetime import UTC, datetime

import pytest

from judge.methods.evidence.search.interface import Gap, Note, SearchError
from judge.methods.evidence.search.store import DocumentStore
from tests.documents import pdf_with
from tests.methods.evidence.conftest import BASE

pytestmark = pytest.mark.usefixtures("no_network")


class TestFinding:
    @pytest.mark.parametrize(
        ("query", "first"),
        [
            ("colour of the year 2026", "colour.md"),
            ("CLOUD dancer", "colour.md"),
            ("exchange rate CAD USD", "rates.txt"),
            ("羊绒", "market.html"),
            ("羊绒服装的市场规模", "market.html"),
            ("绒", "market.html"),
            ("元", "market.html"),
        ],
    )
    def test_words_of_any_script_are_found(self, folder, query, first):
        assert folder.found(query)[0] == first

    def test_a_hit_has_address_title_passage_and_time(self, folder):
        hit = folder.store.find("羊绒市场")[0]
        assert (hit.address, hit.title) == (BASE + "market.html", "羊绒市场报告")
        assert "35亿美元" in hit.excerpt
        assert hit.fetched_at == datetime(2026, 1, 17, tzinfo=UTC)

    def test_the_passage_is_the_one_that_fits_best(self, folder):
        filler = "Nothing of interest stands here. " * 300
        folder.add("long.txt", f"{filler}The tariff on wool coats is 17 percent.{filler}")
        excerpt = folder.store.find("tariff wool coats")[0].excerpt
        assert "The tariff on wool coats is 17 percent." in excerpt
        assert len(excerpt) < 320

    @pytest.mark.parametrize(
        "query", ["", "   ", "?!", "zebra", '"', "NEAR(", "title:x", "*", "^", "\x00", "-"]
    )
    def test_what_is_not_there_or_is_no_word_finds_nothing(self, folder, query):
        assert folder.store.find(query) == ()

    def test_a_query_is_no_syntax(self, folder):
        assert folder.found('colour" OR title:"x') == ["colour.md"]
        assert folder.found("colour) OR (rate", 1) != []

    def test_as_many_as_were_asked_for_and_the_same_ones_each_time(self, folder):
        for n in range(30):
            folder.add(f"same-{n:02}.txt", "The same words about cashmere coats.")
        assert folder.found("cashmere coats", 3) == ["same-00.txt", "same-01.txt", "same-02.txt"]
        assert len(folder.found("cashmere coats", 1000)) == 20
        assert len(folder.found("cashmere coats", -1)) == 1

    def test_a_pdf_is_read(self, folder):
        folder.add("report.pdf", pdf_with("Ocean freight fell by nine percent"))
        assert folder.found("ocean freight") == ["report.pdf"]


class TestPages:
    def test_a_page_is_its_text_with_its_time(self, folder):
        page = folder.page(BASE + "rates.txt")
        assert page.gap is None
        assert page.text.startswith("The rate of CAD")
        assert page.notes == ()

    @pytest.mark.parametrize(
        "address",
        [
            "HTTPS://DOCS.example.org/rates.txt",
            "https://docs.example.org:443/rates.txt#part",
            "https://someone@docs.example.org./rates.txt",
        ],
    )
    def test_one_address_in_other_letters_is_the_same(self, folder, address):
        assert folder.page(address).gap is None

    def test_an_address_that_is_not_in_the_manifest_is_not_stored(self, folder):
        page = folder.page(BASE + "other")
        assert (page.gap, page.text, page.fetched_at) == (Gap.NOT_STORED, "", None)

    def test_a_dead_link_is_said_and_differs_from_one_never_tried(self, folder):
        gone = folder.list(BASE + "gone", status=404)
        lost = folder.list(BASE + "lost", file="lost.html")
        assert folder.page(gone).gap is Gap.DEAD
        assert folder.page(lost).gap is Gap.DEAD
        assert folder.page(gone).fetched_at == datetime(2026, 1, 17, tzinfo=UTC)

    def test_a_page_that_changed_shows_the_newest_copy_and_says_so(self, folder):
        address = folder.add(
            "new.txt", "The fee is 9 dollars.", at="2026-02-01", address=BASE + "fee"
        )
        folder.add("old.txt", "The fee is 5 dollars.", at="2025-02-01", address=BASE + "fee")
        page = folder.page(address)
        assert page.text == "The fee is 9 dollars."
        assert page.notes == (Note.CHANGED,)
        folder.add("same.txt", "The rate of CAD", address=BASE + "twice")
        folder.add("same2.txt", "The rate of CAD", at="2024-01-01", address=BASE + "twice")
        assert folder.page(BASE + "twice").notes == ()

    def test_a_file_that_is_not_the_fetched_one_is_said(self, folder):
        right = hashlib.sha256(b"As fetched.").hexdigest()
        address = folder.add("kept.txt", "As fetched.", sha256=right)
        assert folder.page(address).notes == ()
        (folder.path / "kept.txt").write_text("Somebody wrote something else.")
        assert folder.page(address).notes == (Note.ALTERED,)

    def test_a_changed_file_is_found_by_its_new_words(self, folder):
        assert folder.found("zinc") == []
        (folder.path / "rates.txt").write_text("Zinc costs more.")
        assert folder.found("zinc") == ["rates.txt"]
        assert "rates.txt" not in folder.found("bank")


class TestAddresses:
    def test_a_redirection_is_followed_within_the_store_and_said(self, folder):
        start = folder.list(BASE + "start", redirects_to="/next")
        folder.list(BASE + "next", redirects_to=BASE + "rates.txt")
        page = folder.page(start)
        assert (page.address, page.final) == (start, BASE + "rates.txt")
        assert page.notes == (Note.REDIRECTED,)
        away = folder.list(BASE + "away", redirects_to="https://elsewhere.example/")
        assert folder.page(away).gap is Gap.NOT_STORED

    @pytest.mark.parametrize(
        "target",
        [
            "http://10.0.0.1/", "http://127.0.0.1:8000/x", "http://169.254.169.254/latest/meta-data",
            "http://[::1]/", "http://[::ffff:192.168.0.1]/", "http://2130706433/", "http://0x7f.1/",
            "http://localhost/", "http://db/", "http://intranet.corp/", "//192.168.1.1/",
            "http://user@10.0.0.1/",
        ],
    )  # fmt: skip
    def test_a_redirection_into_a_private_network_is_refused_and_said(self, folder, target):
        page = folder.page(folder.list(BASE + "inside", redirects_to=target))
        assert (page.gap, page.text) == (Gap.PRIVATE, "")

    @pytest.mark.parametrize(
        "target", ["file:///etc/passwd", "ftp://a.org/", "javascript:x", "\\\\a"]
    )
    def test_a_redirection_to_no_web_address_is_refused(self, folder, target):
        gap = folder.page(folder.list(BASE + "odd", redirects_to=target)).gap
        assert gap in (Gap.NO_WEB_ADDRESS, Gap.NOT_STORED)

    def test_redirections_in_a_circle_or_without_end_are_said(self, folder):
        folder.list(BASE + "a", redirects_to=BASE + "b")
        folder.list(BASE + "b", redirects_to=BASE + "a")
        assert folder.page(BASE + "a").gap is Gap.LOOP
        for n in range(9):
            folder.list(f"{BASE}{n}", redirects_to=f"{BASE}{n + 1}")
        assert folder.page(BASE + "0").gap is Gap.LOOP

    def test_a_private_page_is_not_served_even_if_somebody_stored_it(self, folder):
        address = folder.add("secret.txt", "The secret budget.", address="http://10.0.0.1/secret")
        assert folder.page(address).gap is Gap.PRIVATE
        assert folder.found("secret budget") == []

    @pytest.mark.parametrize("name", ["../outside.txt", "link.txt", "/etc/hostname", "a\x00b.txt"])
    def test_a_file_outside_of_the_folder_is_never_read(self, folder, name):
        outside = folder.path.parent / "outside.txt"
        outside.write_text("A secret of this machine.")
        (folder.path / "link.txt").symlink_to(outside)
        page = folder.page(folder.list(BASE + "trick", file=name))
        assert page.gap in (Gap.OUTSIDE, Gap.UNREADABLE)
        assert folder.found("secret") == []


class TestFailing:
    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("{", "line 4 of manifest.jsonl is no JSON object"),
            ("[]", "is no JSON object"),
            ("[" * 100_000, "is no JSON object"),
            ('{"address": "gov.uk", "fetched": "2026-01-01", "file": "a"}', "has no web address"),
            ('{"address": "https://a.org", "file": "a"}', "has no date as fetched"),
            ('{"address": "https://a.org", "fetched": "2026-01-01"}', "needs one of file"),
            ('{"address": "https://a.org", "fetched": 2026, "file": "a"}', "no text as fetched"),
            ('{"address": "https://a.org", "fetched": "2026-01-01", "status": "x"}', "no number"),
        ],
    )
    def test_a_line_of_the_manifest_that_cannot_be_used_is_named(self, folder, line, said):
        with (folder.path / "manifest.jsonl").open("a") as file:
            file.write("\n" + line)
        with pytest.raises(SearchError, match=said):
            folder.store.find("rate")

    def test_a_store_without_manifest_fails_and_is_not_an_empty_one(self, folder):
        (folder.path / "manifest.jsonl").unlink()
        for asked in (lambda: folder.store.find("rate"), lambda: folder.page(BASE + "x")):
            with pytest.raises(SearchError, match="cannot be read"):
                asked()

    def test_a_damaged_index_is_built_anew(self, folder):
        assert folder.found("cloud") == ["colour.md"]
        folder.store.index_file.write_bytes(b"no database")
        assert folder.found("cloud") == ["colour.md"]

    def test_an_index_that_cannot_be_written_fails(self, folder, tmp_path):
        (tmp_path / "file").write_text("")
        store = DocumentStore(folder.path, tmp_path / "file" / "index.sqlite3")
        with pytest.raises(SearchError, match="cannot be written"):
            store.find("rate")

    def test_many_at_once_build_one_index(self, folder):
        said = []

        def ask():
            said.append(folder.found("cloud dancer"))

        threads = [threading.Thread(target=ask) for _ in range(6)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert said == [["colour.md"]] * 6
        assert [p.name for p in folder.store.index_file.parent.glob("index*")] == ["index.sqlite3"]

"""Pools of profiles from files: all or none, each fault named, twice changes nothing."""

import io
import json

import openpyxl
import pytest
from django.core.management import CommandError, call_command

from judge.methods.profiles.links import link_key
from judge.methods.profiles.models import PoolImport, Profile, ProfilePool

CSV = (
    "key;name;link;text;Language;Followers\n"
    "ann;Ann;https://video.example/@Ann;Hikes.;fr;12000\n"
    "ben;Ben;;Climbs.;;\n"
)


@pytest.fixture
def load(tmp_path, capsys):
    """Import a file by command; return what it says."""

    def go(content, name="creators.csv", *args):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        call_command("import_profiles", str(path), "--pool", "creators", *args)
        return capsys.readouterr().out

    return go


@pytest.fixture
def pool(db):
    return ProfilePool.objects.create(key="creators", name="Creators")


class TestACommand:
    def test_a_table_becomes_profiles_with_facts(self, load, pool):
        assert "2 added, 0 changed, 0 unchanged" in load(CSV)
        ann = Profile.objects.get(key="ann")
        assert (ann.name, ann.text, ann.facts) == (
            "Ann", "Hikes.", {"Language": "fr", "Followers": "12000"},
        )  # fmt: skip
        assert Profile.objects.get(key="ben").facts == {}

    def test_the_same_file_again_changes_nothing_and_a_changed_one_keeps_what_was(self, load, pool):
        load(CSV)
        assert "0 added, 0 changed, 2 unchanged" in load(CSV)
        assert PoolImport.objects.count() == 1
        assert "1 added, 1 changed, 1 unchanged" in load(
            f"{CSV.replace('Hikes', 'Sails')}cleo;Cleo;;;;\n"
        )
        made = PoolImport.objects.first()
        assert made.before["ann"]["text"] == "Hikes."
        assert Profile.objects.get(key="ann").text == "Sails."

    def test_a_dry_run_stores_nothing(self, load, db):
        assert "Nothing was stored" in load(CSV, "creators.csv", "--dry-run", "--name", "Creators")
        assert not ProfilePool.objects.exists()

    def test_a_new_pool_needs_a_name(self, load, db):
        with pytest.raises(CommandError, match="Give --name"):
            load(CSV)
        load(CSV, "creators.csv", "--name", "Creators")
        assert ProfilePool.objects.get().profiles.count() == 2

    def test_a_pool_that_cannot_be_made_is_refused_with_all_reasons(self, load, db):
        with pytest.raises(CommandError) as refused:
            load(CSV, "creators.csv", "--pool", "my pool!", "--name", "x" * 201)
        assert "A key has letters, digits, hyphens" in str(refused.value)
        assert "200" in str(refused.value)
        assert "Everything you typed" not in str(refused.value)
        assert not ProfilePool.objects.exists()

    def test_json_lines_and_a_workbook_say_the_same(self, load, pool):
        line = {"key": "ann", "name": "Ann", "text": "Hikes.", "facts": {"Followers": 12000}}
        load(json.dumps(line), "creators.jsonl")
        book = openpyxl.Workbook()
        book.active.append(["Key", "Name", "Text", "Followers"])
        book.active.append(["ann", "Ann", "Hikes.", 12000])
        data = io.BytesIO()
        book.save(data)
        assert "1 unchanged" in load(data.getvalue(), "creators.xlsx")

    def test_links_may_change_hands_in_one_file(self, load, pool):
        table = "key,name,link\na,A,https://x.example/{}\nb,B,https://x.example/{}\n"
        load(table.format(1, 2))
        assert "2 changed" in load(table.format(2, 1))

    def test_every_fault_is_named_with_its_line_and_nothing_is_stored(self, load, pool):
        with pytest.raises(CommandError) as refused:
            load(
                "key,name,link\nann,Ann,https://x.example/a\nann,,x\n"
                "cleo,Cleo,http://www.x.example/a/\n"
            )
        said = str(refused.value)
        for fault in (":3: key:", ":3: name:", ":3: link:", ":4: link:", "4 faults"):
            assert fault in said
        assert not Profile.objects.exists()

    @pytest.mark.parametrize(
        ("content", "fault"),
        [
            ("", "There is no line"),
            ("key,text\na,b\n", ":1: name: There is no column"),
            ("key,name,a,a\n", "twice"),
            ("key,name,,Town\na,b,,Bern\nc,d,lost,Bern\n", ":1: row: Column 3 has cells"),
            ('key,name\n"a,b\n', "quotation marks"),
            ("key,name\na,b,c\n", "more cells"),
            (b"\x89PNG", "This is no table"),
            (b"key,name\n\xff,b\n", ":2: line: This line is not UTF-8 text"),
            (
                "key,name,text\na,M\u00fcller,\u00df\n".encode() + b"b,x,\xe4\n",
                ":3: line: This line",
            ),
            ("key,name\na,b\n".encode("utf-16"), ":1: line: This line is not UTF-8 text"),
            ("key,name\na,\x00\n", ":2: line: This line is not UTF-8 text"),
            (b"PK\x03\x04rubbish", "workbook cannot be read"),
            ('{"key": "a", "name": "b", "colour": 1}', ":1: colour: There is no such field"),
            ('{"key": "a"\n', "not JSON"),
            ('{"key": 7, "name": "b"}', "must be text"),
            ('{"key": "a", "name": "b", "facts": {"x": {}}}', ":1: x: A fact is"),
            ('{"key": "a", "name": "b", "facts": [1]}', "Facts are an object"),
            ('{"key": "a", "name": "b", "facts": {"x": 1e999}}', ":1: x: A fact is"),
            ("key,name,link\na,A,https://x.example/a%00b\n", ":2: link: This is no link"),
        ],
    )
    def test_a_bad_file_is_refused_with_a_sentence(self, load, pool, content, fault):
        with pytest.raises(CommandError) as refused:
            load(content)
        assert fault in str(refused.value)
        assert not Profile.objects.exists()


class TestAPage:
    @pytest.fixture
    def desk(self, pool, staff):
        from tests.conftest import browser_of

        return browser_of(staff)

    def send(self, desk, pool, content=CSV):
        file = io.BytesIO(content.encode())
        file.name = "creators.csv"
        return desk.post(f"/staff/profiles/{pool.pk}/import/", {"file": file})

    def test_a_preview_stores_nothing_and_its_button_imports(self, desk, pool):
        page = self.send(desk, pool)
        assert page.status_code == 200
        assert "2 added, 0 changed, 0 as they are" in page.content.decode()
        assert not Profile.objects.exists()
        form = {"lines": page.context["lines"], "name": "creators.csv"}
        done = desk.post(f"/staff/profiles/{pool.pk}/import/", form)
        assert (done.status_code, Profile.objects.count()) == (302, 2)
        shown = desk.get(f"/staff/profiles/{pool.pk}/?q=hikes").content.decode()
        assert "Ann" in shown
        assert "Climbs" not in shown
        assert "creators.csv" in shown

    def test_faults_are_listed(self, desk, pool):
        page = self.send(desk, pool, "key,name\n,Ann\n")
        assert page.status_code == 400
        assert "Nothing was imported: 1 thing" in page.content.decode()

    def test_a_pool_is_added_once(self, desk):
        form = {"key": "suppliers", "name": "Suppliers"}
        assert desk.post("/staff/profiles/", form).status_code == 302
        again = desk.post("/staff/profiles/", form)
        assert "There is a pool with this key" in again.content.decode()
        assert desk.post("/staff/profiles/", {"key": "a b", "name": "X"}).status_code == 400

    def test_a_long_pool_takes_as_many_queries_as_a_short_one(
        self, desk, pool, django_assert_max_num_queries
    ):
        Profile.objects.bulk_create(
            Profile(pool=pool, key=f"p{n}", name=f"P {n}", name_key=f"p {n}") for n in range(60)
        )
        with django_assert_max_num_queries(12):
            assert "Page 1 of 2" in desk.get(f"/staff/profiles/{pool.pk}/").content.decode()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://www.video.example/@TED", "http://m.video.example/%40ted/?tab=about#top"),
        ("video.example/channel/UCa", "https://VIDEO.example:443/channel/UCa/"),
    ],
)
def test_links_to_one_page_are_the_same(one, other):
    assert link_key(one) == link_key(other) != ""


def test_other_links_are_not():
    assert link_key("https://video.example/UCa") != link_key("https://video.example/uca")
    for none in ("", "Ann", "mailto:a@b.example", "https://[", "a b.example", "javascript:x"):
        assert link_key(none) == ""

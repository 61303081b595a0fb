"""The tier of an address, whatever it tries to look like; Q and its grade."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.methods.evidence.tiers.hosts import host_of
from judge.methods.evidence.tiers.quality import SCORES, Advice, quality
from judge.methods.evidence.tiers.tier_list import TierList, built_in, change, read_domains

LIST = TierList(
    {
        "gov": 1, "gov.uk": 1, "ac.uk": 1, "edu.cn": 1, "go.jp": 1, "google.com": 1,
        "sites.google.com": 4, "nature.com": 2, "github.com": 3, "xn--fsqu00a.xn--0zwm56d": 2,
    }
)  # fmt: skip


def tier(address: str) -> int:
    return LIST.tier_of(address).tier


@pytest.mark.parametrize(
    ("address", "expected", "entry"),
    [
        ("https://www.gov.uk/guidance", 1, "gov.uk"),
        ("https://gov.uk", 1, "gov.uk"),
        ("https://cs.ox.ac.uk/paper.pdf", 1, "ac.uk"),
        ("https://www.tsinghua.edu.cn/", 1, "edu.cn"),
        ("http://www.stat.go.jp/x?y=z", 1, "go.jp"),
        ("https://www.fda.gov/food", 1, "gov"),
        ("https://blog.google.com/a", 1, "google.com"),
        ("https://sites.google.com/view/x", 4, "sites.google.com"),
        ("https://www.nature.com/articles/1", 2, "nature.com"),
        ("https://github.com/a/b", 3, "github.com"),
    ],
)
def test_the_longest_entry_that_covers_the_host_counts(address, expected, entry):
    found = LIST.tier_of(address)
    assert (found.tier, found.entry, found.why) == (expected, entry, "")


@pytest.mark.parametrize(
    "address",
    [
        "https://notgov.uk/",
        "https://gov.uk.example.com/",
        "https://example.com/gov.uk",
        "https://example.com/@gov.uk",
        "https://example.com?x=https://gov.uk",
        "https://example.com#@gov.uk",
        "https://gov.uk@example.com/",
        "https://gov.uk:443@example.com/",
        "https://www-gov.uk/",
        "https://mygithub.com/",
        "https://gоv.uk/",  # with a Cyrillic letter
        "https://xn--gv-fmc.uk/",
    ],
)
def test_what_only_looks_like_a_listed_domain_is_unknown(address):
    found = LIST.tier_of(address)
    assert (found.tier, found.entry, found.why) == (4, "", "not_listed")


@pytest.mark.parametrize(
    "address",
    [
        "HTTPS://WWW.GOV.UK/",
        "https://www.gov.uk.:8443/x",
        "https://user:secret@www.gov.uk/",
        "https://ｇｏｖ.uk/",  # browsers read full-width letters as plain ones
        "https://www。gov。uk/",
    ],
)
def test_capitals_ports_users_and_a_dot_at_the_end_change_nothing(address):
    assert tier(address) == 1


def test_an_international_name_and_its_punycode_are_one():
    assert tier("https://例子.测试/报告") == tier("https://XN--FSQU00A.xn--0zwm56d/") == 2


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("ftp://gov.uk/x", "no_web_address"),
        ("javascript:alert(1)//gov.uk", "no_web_address"),
        ("//gov.uk/", "no_web_address"),
        ("gov.uk", "no_web_address"),
        ("", "no_web_address"),
        ("https://127.0.0.1/", "number"),
        ("https://127.1/", "number"),
        ("http://2130706433/", "number"),
        ("http://0x7f000001/", "number"),
        ("http://[::1]/", "number"),
        ("http://[::ffff:10.0.0.1]:80/", "number"),
        ("https://１２７.0.0.1/", "number"),
        ("https://gov/", "one_label"),
        ("http://localhost:8000/", "one_label"),
        ("https://example.com\\@gov.uk/", "unreadable"),  # browsers go to example.com
        ("https://example.com\\.gov.uk/", "unreadable"),
        ("https://gov%2euk/", "unreadable"),
        ("https://www.gov\t.uk/", "unreadable"),
        ("https://www.gov.uk\u202e/", "unreadable"),
        ("https://gov.uk../", "unreadable"),
        ("https://.gov.uk/", "unreadable"),
        ("https://gov.uk:port/", "unreadable"),
        ("https://[gov.uk]/", "unreadable"),
        ("https://[::1/", "unreadable"),
        ("https://example.com\u2100gov.uk/", "unreadable"),  # one letter that stands for a/c
        ("https://faß.gov.uk/", "unreadable"),  # two standards disagree
        ("https:///gov.uk", "unreadable"),
        ("https://" + "a" * 64 + ".gov.uk/", "unreadable"),
        ("https://" + "a." * 130 + "gov.uk/", "unreadable"),
        ("https://gov.uk/" + "a" * 5000, "unreadable"),
    ],
)
def test_what_has_no_host_for_certain_is_unknown_and_says_why(address, why):
    found = LIST.tier_of(address)
    assert (found.tier, found.host, found.entry, found.why) == (4, "", "", why)


@given(st.text(max_size=60))
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_the_reading_of_an_address(text):
    for address in (text, f"https://{text}", f"https://gov.uk{text}", f"https://{text}gov.uk/"):
        host = host_of(address)
        assert bool(host.name) != bool(host.why)
        assert host.name.isascii()
        assert LIST.tier_of(address).tier in SCORES


def test_the_built_in_list_has_full_domains_only_and_no_open_academic_ones():
    entries = built_in().entries
    assert read_domains(entries) == (list(entries), [])
    assert set(entries.values()) == {1, 2, 3, 4}
    for address in ("https://www.cam.ac.uk", "https://pku.edu.cn", "https://meti.go.jp"):
        assert built_in().tier_of(address).tier == 1
    for address in ("https://a.edu.pl", "https://someone.github.io", "https://evil.com"):
        assert built_in().tier_of(address).tier == 4


def test_no_entry_of_the_built_in_list_says_what_a_wider_one_says_already():
    entries = built_in().entries
    for domain, own in entries.items():
        wider = TierList({d: t for d, t in entries.items() if d != domain})
        found = wider.tier_of(f"https://x.{domain}/")
        assert not found.listed or found.tier != own, domain


def test_what_is_no_domain_is_named():
    lines = [
        "Example.ORG", " gov ", "例子.测试", "", "https://a.org", "a.org/x", "*.a.org", ".a.org",
        "a.org:80", "a@b.org", "10.0.0.1", "a b.org", "a..org",
    ]  # fmt: skip
    found, wrong = read_domains(lines)
    assert found == ["example.org", "gov", "xn--fsqu00a.xn--0zwm56d"]
    assert wrong == [line.strip() for line in lines[4:]]


def test_a_change_is_what_was_added_removed_and_moved():
    found = change({"a.org": 1, "b.org": 2, "c.org": 3}, {"b.org": 3, "c.org": 3, "d.org": 1})
    assert found.added == (("d.org", 1),)
    assert found.removed == (("a.org", 1),)
    assert found.moved == (("b.org", 2, 3),)


# --- Q and grades -----------------------------------------------------------------------------
def test_equation_18_the_first_source_weighs_most():
    assert quality([1, 4]).q == (1 + Fraction(1, 4) / 2) / Fraction(3, 2) == Fraction(3, 4)
    assert quality([4, 1]).q == Fraction(1, 2)
    assert quality([1, 2, 3]).q == (1 + Fraction(3, 8) + Fraction(1, 6)) / Fraction(11, 6)
    assert quality([3]).q == Fraction(1, 2)


def test_table_14_gives_the_scores_of_the_tiers():
    assert [SCORES[n] for n in (1, 2, 3, 4)] == [1, Fraction(3, 4), Fraction(1, 2), Fraction(1, 4)]


@pytest.mark.parametrize(
    ("tiers", "grade"),
    [
        ([1], "A"),
        ([1, 4], "A"),  # exactly 0.75
        ([2, 2], "B"),  # 0.75 without an official source
        ([2], "B"),
        ([1, 4, 4], "B"),  # 0.659
        ([2, 4], "C"),  # 0.583
        ([3], "C"),
        ([3, 4], "D"),  # 0.417
        ([4, 4, 4], "F"),
        ([4] * 9 + [3], "F"),
        ([4, 4, 4, 1], "D"),  # 0.34
    ],
)
def test_each_grade_has_its_threshold(tiers, grade):
    assert quality(tiers).grade == grade


def test_without_sources_there_is_no_grade():
    assert quality([]) is None
    with pytest.raises(ValueError, match="from 1 to 4"):
        quality([5])


def test_only_grades_below_b_come_with_advice():
    assert quality([1] + [3] * 90).advice == (Advice.WEAK,)
    assert quality([1]).advice == quality([2]).advice == ()
    assert quality([3]).advice == (Advice.OFFICIAL, Advice.WEAK, Advice.FEW)
    assert quality([4, 4, 4, 1]).advice == (Advice.ORDER, Advice.WEAK)
    assert quality([4]).advice == (Advice.OFFICIAL, Advice.WEAK, Advice.FEW)


@given(st.lists(st.sampled_from([1, 2, 3, 4]), min_size=1, max_size=12))
def test_q_lies_between_the_worst_and_the_best_source(tiers):
    found = quality(tiers)
    assert SCORES[max(tiers)] <= found.q <= SCORES[min(tiers)]
    assert (found.grade in ("A", "B")) == (not found.advice), "below B there is advice"

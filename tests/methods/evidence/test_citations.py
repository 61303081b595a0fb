"""The addresses that a text cites, in order."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.methods.evidence.tiers.citations import MOST, cited_addresses


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See https://a.org/x. Then http://b.org/y, and so on.", ["https://a.org/x", "http://b.org/y"]),
        ("[one](https://a.org/x) and [two](<https://b.org/y z>)", ["https://a.org/x", "https://b.org/y%20z"]),
        ('[t](https://a.org "Its title")', ["https://a.org"]),
        ("(see https://a.org/w_(x)) or (https://b.org).", ["https://a.org/w_(x)", "https://b.org"]),
        ("[w](https://a.org/w_(x))", ["https://a.org/w_(x)"]),
        ("[1]: https://a.org/x\n<https://b.org>", ["https://a.org/x", "https://b.org"]),
        ("**https://a.org/x** _https://b.org_", ["https://a.org/x", "https://b.org"]),
        ("`https://c.org`", ["https://c.org"]),
        ('<a href="https://a.org/x">here</a>', ["https://a.org/x"]),
        ("| https://a.org | https://b.org |", ["https://a.org", "https://b.org"]),
        ("www.a.org/x and [b](www.b.org)", ["https://www.a.org/x", "https://www.b.org"]),
        ("[[3]](https://a.org)", ["https://a.org"]),
        ("HTTPS://A.ORG/X", ["HTTPS://A.ORG/X"]),
        ("[f](ftp://a.org/x)", ["ftp://a.org/x"]),
        ("https:// nothing, http://, www. no", []),
        ("[m](mailto:a@b.org) [s](#section) [r](/path) ada@www.b.org", []),
        ("![picture](https://a.org/x.png)", []),
        ("```\ncurl https://a.org\n```\nhttps://b.org", ["https://b.org"]),
        ("~~~~ sh\nhttps://a.org\n~~~\nhttps://b.org\n~~~~\nhttps://c.org", ["https://c.org"]),
    ],
)  # fmt: skip
def test_links_and_bare_addresses_are_found_in_their_order(text, expected):
    assert list(cited_addresses(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("数据见（https://a.cn/x）。", ["https://a.cn/x"]),
        ("来源：https://a.cn/x，https://b.cn/y；", ["https://a.cn/x", "https://b.cn/y"]),
        ("据https://www.stats.gov.cn的报告", ["https://www.stats.gov.cn"]),
        ("据https://a.cn/report2024显示", ["https://a.cn/report2024"]),
        ("「https://a.cn/x」、《https://b.cn》、“https://c.cn”", ["https://a.cn/x", "https://b.cn", "https://c.cn"]),
        ("https://zh.wikipedia.org/wiki/中国，", ["https://zh.wikipedia.org/wiki/中国"]),
        ("https://例子.测试/报告。", ["https://例子.测试/报告"]),
        ("https://a.cn/s?q=市场&page=2", ["https://a.cn/s?q=市场&page=2"]),
        ("[报告](https://a.cn/市场报告)", ["https://a.cn/市场报告"]),
        ("https://a.cn/x　https://b.cn", ["https://a.cn/x", "https://b.cn"]),
    ],
)  # fmt: skip
def test_chinese_text_around_an_address_is_no_part_of_it(text, expected):
    assert list(cited_addresses(text)) == expected


def test_the_target_of_a_link_counts_and_not_what_its_text_says():
    assert cited_addresses("[https://www.gov.uk/](https://evil.example/)") == (
        "https://evil.example/",
    )


def test_an_address_counts_once_where_it_stands_first():
    text = "https://a.org/x https://b.org https://a.org/x#part [again](https://a.org/x)"
    assert cited_addresses(text) == ("https://a.org/x", "https://b.org")


def test_only_the_first_addresses_count():
    text = " ".join(f"https://a.org/{n}" for n in range(MOST + 50))
    found = cited_addresses(text)
    assert len(found) == MOST
    assert found[0] == "https://a.org/0"


@pytest.mark.parametrize(
    "piece", ["[", "](", "https://", ")", "https://a.org/((", "```\n", "[a](", "![", "~", "www."]
)
def test_a_long_hostile_text_is_read_in_no_time(piece):
    began = time.process_time()
    cited_addresses(piece * (200_000 // len(piece)))
    cited_addresses("https://a.org/" + piece * (200_000 // len(piece)))
    assert time.process_time() - began < 3


@given(st.text(alphabet="ab/:.[]()<>`~!#\n www中，。https", max_size=80))
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_it_and_what_is_found_has_a_scheme(text):
    assert all("://" in address for address in cited_addresses(text))

"""The pure parts of the design system: safe text, differences, bars, numbers and dates."""

import re
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import get_template
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st

from curation.base.text import wording
from curation.base.web import dates, look
from curation.base.web.bars import bar_geometry
from curation.base.web.icons import ICONS, SHAPES

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](java&#115;cript:alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x)",
    "<svg/onload=alert(1)>",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    '![" onerror="alert(1)](http://e.test/x.png)',
    "<a href='http://e.test' style='position:fixed'>x</a>",
    "`<script>alert(1)</script>`",
    '[a](http://e.test "x\\" onclick=\\"alert(1)")',
    "<iframe src=//e.test></iframe>",
]
LIVE = re.compile(
    r"<(script|img|svg|iframe|style|object|form)|<[^>]*\s(on\w+|style|class|id)\s*=[^>]*>"
    r"|href=\"(?!https?:|mailto:)",
    re.I,
)


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_survives_markdown(attack):
    html = look.markdown(attack)
    cleaned = html.replace('<div class="table-scroll"', "<div")
    assert not LIVE.search(re.sub(r'title="[^"]*"', "", cleaned)), html


@given(st.text(alphabet="<>[]()!\"'`*_|-#&;: \nabjscript=/on", max_size=80))
def test_no_random_text_makes_live_markup(text):
    assert not re.search(
        r"<(script|img|svg|iframe)|\son\w+=[^>]*>|javascript:[^<]*\">", look.markdown(text)
    )


def test_links_carry_rel_and_relative_addresses_lose_their_target():
    html = look.markdown(
        "[out](https://e.test/a) [mail](mailto:a@e.test) [in](/account/logout/) [odd](//e.test)"
    )
    assert 'href="https://e.test/a" rel="nofollow noopener"' in html
    assert 'href="mailto:a@e.test"' in html
    assert "/account/logout/" not in html
    assert "//e.test)" not in html
    assert html.count("href=") == 2


def test_an_image_becomes_its_alternative_text():
    assert (
        look.markdown("![A *plan* of <b>x</b>](http://e.test/x.png)")
        == "<p>A plan of &lt;b&gt;x&lt;/b&gt;</p>\n"
    )


def test_headings_start_below_those_of_the_page():
    assert "<h3>A</h3>" in look.markdown("### A")
    assert look.markdown("## A\n\n### B") == "<h3>A</h3>\n<h4>B</h4>\n"


def test_headings_stop_at_six_and_tables_scroll_in_their_own_box():
    html = look.markdown("# One\n\n##### Five\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n")
    assert "<h3>One</h3>" in html
    assert "<h6>Five</h6>" in html
    assert html.count('role="region"') == html.count("</table></div>") == 1
    assert "style=" not in html


def test_markdown_of_nothing_is_nothing():
    assert look.markdown(None) == look.markdown("") == ""


def test_no_tag_writes_a_style_attribute():
    html = "".join(
        (
            look.segbar("3 yes met; 1 no unmet", mark=2, after="4"),
            look.legend("3 yes met"),
            look.ticks("yes no open", current=1),
            look.weight_bar(8),
            look.importance("essential"),
            look.pill("IN_REVIEW", "In review"),
            look.keycap("Ctrl", "↵"),
        )
    )
    assert "style=" not in html


def test_segments_fill_the_bar_and_a_few_among_thousands_stay_visible():
    spans = bar_geometry([3000, 1, 0, 999])
    assert spans[1][1] == 0.4
    assert spans[2] == (100 * 3000 / 4000 + 0.4, 0.0)
    assert sum(width for _x, width in spans) <= 100


def test_a_bar_without_anything_in_it_is_an_empty_track():
    assert bar_geometry([0, 0]) == [(0.0, 0.0), (0.0, 0.0)]
    assert "f-" not in look.segbar([])


def test_a_bar_says_its_numbers_to_those_who_do_not_see_it():
    assert 'aria-label="2,214 judged, 9 failed"' in look.segbar("2214 ink-2 judged; 9 no failed")
    assert 'aria-hidden="true"' in look.segbar([(1, "yes")])


def test_labels_in_bars_are_escaped():
    assert "<b>" not in look.segbar([(1, "yes", "<b>")]) + look.legend([(1, "yes", "<b>")])
    assert "<script" not in look.icon("check", '"><script>')


def test_a_weight_bar_is_full_at_ten_and_never_overflows():
    assert 'class="fill" width="30"' in look.weight_bar(10)
    assert 'class="fill" width="24"' in look.weight_bar(8)
    assert 'class="fill" width="30"' in look.weight_bar(50)
    assert 'class="fill" width="0"' in look.weight_bar(None)


def test_more_than_forty_ticks_become_one_bar():
    assert look.ticks(["yes"] * 40).count("<i ") == 40
    assert "segbar" in look.ticks(["yes"] * 41)


def test_statuses_are_known_in_any_spelling_and_unknown_ones_get_a_ring():
    assert look.shape_of("SPOT_CHECK") == look.shape_of("spot check") == ("threequarter", "")
    assert look.shape_of("never heard of") == ("ring", "")
    assert {shape for shape, _tone in SHAPES.values()} <= set(ICONS)


def test_an_unknown_importance_or_icon_is_refused():
    with pytest.raises(KeyError):
        look.importance("vital")
    with pytest.raises(KeyError):
        look.icon("rocket")


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        (look.percent(0.125), "12\u00a0%"),
        (look.percent(0.986, 1), "98.6\u00a0%"),
        (look.percent(None), "–"),
        (look.count(2214), "2,214"),
        (look.count(None), "–"),
        (look.decimal(-0.5), "−0.50"),
        (look.decimal(-0.001), "0.00"),
        (look.decimal(1, 5), "1.00"),
        (look.decimal(Fraction(2, 3)), "0.67"),
        (look.signed(0.16), "+0.16"),
        (look.signed(-0.16), "−0.16"),
        (look.signed(0), "0.00"),
        (dates.duration(40), "40 seconds"),
        (dates.duration(3000), "50 minutes"),
        (dates.duration(86400 * 12), "12 days"),
        (dates.duration(None), "–"),
    ],
)
def test_numbers_are_written_for_people(shown, wanted):
    assert shown == wanted


def test_dates_name_the_weekday_and_the_year_only_when_it_is_another():
    today = timezone.localdate()
    old = date(2020, 11, 19)
    assert look.when(old) == '<time datetime="2020-11-19">Thu 19 Nov 2020</time>'
    assert str(today.year) not in re.sub("<[^>]+>", "", look.when(today))
    with translation.override("zh-hans"):
        assert "2020 年 11 月 19 日 周四" in look.when(old)


def test_distances_are_words():
    today = timezone.localdate()
    assert dates.in_days(today) == "today"
    assert dates.in_days(today + timedelta(days=3)) == "in 3 days"
    assert dates.in_days(today - timedelta(days=1)) == "1 day ago"
    assert dates.in_days(None) == ""


def test_undo_takes_only_addresses_of_this_site():
    class Message:
        def __init__(self, tags):
            self.extra_tags = tags

    assert look.undo_url(Message("a undo=/lines/8/undo/")) == "/lines/8/undo/"
    assert (
        look.undo_url(Message("undo=//e.test/"))
        == look.undo_url(Message("undo=http://e.test"))
        == ""
    )
    assert look.undo_url(Message(None)) == ""


def _own_templates():
    root = Path(settings.BASE_DIR) / "templates"
    folders = ("account", "errors", "components")
    return [root / n for n in ("base.html", "error.html", "gallery.html")] + [
        path for folder in folders for path in sorted((root / folder).glob("*.html"))
    ]


@pytest.mark.parametrize("path", _own_templates(), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_every_template_compiles_and_keeps_the_content_security_policy(path):
    text = path.read_text(encoding="utf-8")
    assert get_template(str(path.relative_to(Path(settings.BASE_DIR) / "templates")))
    assert not re.search(r"\sstyle\s*=|<style|\son(click|load|change|submit|input)\s*=", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert "//cdn" not in text


def _tokens():
    css = (Path(settings.BASE_DIR) / "static/css/assay.css").read_text(encoding="utf-8")
    return dict(re.findall(r"--([\w-]+): light-dark\((#\w{6}, #\w{6})\)", css))


def _contrast(a, b):
    def light(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_text_colour_can_be_read_where_it_stands(theme):
    colour = {name: pair.split(", ")[theme] for name, pair in _tokens().items()}
    for role in ("ink", "ink-2", "ink-3", "accent", "yes", "no", "wait", "machine"):
        for ground in ("surface", "canvas", "sunken"):
            assert _contrast(colour[role], colour[ground]) >= 4.5, (role, ground)
    for role in ("yes", "no", "wait", "machine"):
        assert _contrast(colour[role], colour[f"{role}-tint"]) >= 4.5, role
    assert _contrast(colour["ink"], colour["mark"]) >= 4.5
    assert _contrast(colour["on-accent"], colour["accent"]) >= 4.5
    assert _contrast(colour["edge"], colour["surface"]) >= 3
    assert _contrast(colour["wait-fill"], colour["surface"]) >= 3


def test_a_share_has_no_needless_decimals_and_its_sign_follows_the_language():
    assert look.percent(1.0, 1) == "100\u00a0%"
    assert look.percent(0.984, 1) == "98.4\u00a0%"
    assert look.percent(None) == "–"
    with translation.override("zh-hans"):
        assert look.percent(0.95, 1) == "95%"


def test_sentences_are_joined_as_the_language_does_and_stay_escaped():
    assert look.sentences(["One.", "", "<b>Two.</b>"]) == "One. &lt;b&gt;Two.&lt;/b&gt;"
    with translation.override("zh-hans"):
        assert look.sentences(["一。", "二。"]) == "一。二。"
    assert look.listed(["Law", "Finance"]) == "Law, Finance"


def test_what_a_machine_stored_is_told_in_the_reader_s_language_with_its_facts():
    stored = "Stopped: the budget of $%(budget)s has no room for another call."
    assert wording.translate_stored(stored, {"budget": "5"}) == stored.replace("%(budget)s", "5")
    with translation.override("zh-hans"):
        assert "$5" in wording.translate_stored(stored, {"budget": "5"})
        assert "Stopped" not in wording.translate_stored(stored, {"budget": "5"})
    assert (
        wording.translate_stored("100 % of what nobody translated")
        == "100 % of what nobody translated"
    )
    assert wording.translate_stored("") == ""


def test_languages_have_the_names_of_the_locale_data_in_the_order_of_the_reader():
    assert wording.name_of("pt-br") == "Portuguese (Brazil)"
    assert wording.name_of("xx") == "xx"
    with translation.override("zh-hans"):
        names = ("nb", "sr-latn", "udm")
        assert [wording.name_of(code) for code in names] == [
            "书面挪威语",
            "塞尔维亚语（拉丁文）",
            "乌德穆尔特语",
        ]
        shown = [name for _code, name in wording.choices()]
        assert shown.index("德语") < shown.index("法语") < shown.index("英语")  # dé, fǎ, yīng
    assert [name for _code, name in wording.choices()][0] == "Afrikaans"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Which article of the GDPR applies?", "en"),
        ("根据 IFRS 15 Revenue from Contracts with Customers，何时确认收入？", "zh-Hans"),
        ("The term 合同 occurs once here.", "en"),
        ("12.5", "en"),
    ],
)
def test_a_text_without_a_language_is_read_aloud_in_that_of_its_script(text, language):
    assert look.lang(text) == language

"""“ ” are one code in English and in Chinese: the language of a text says how wide they are."""

from typing import Any

import pytest
from django.conf import settings

CSS = settings.BASE_DIR / "static/css/assay.css"
PAGE = """<html lang={page}><title>x</title><body><p id=own>{own}</p>
<p id=other lang={other}>{text}</p><div class=read lang={other} id=read><p>{text}</p></div>
<div class=read lang=""><p id=unknown>{own}</p></div></body></html>"""
WIDTH = """id => {
  const text = document.getElementById(id).querySelector('p')?.firstChild
    ?? document.getElementById(id).firstChild;
  const range = document.createRange();
  range.setStart(text, text.data.indexOf('”')); range.setEnd(text, text.data.indexOf('”') + 1);
  const size = parseFloat(getComputedStyle(text.parentElement).fontSize);
  return range.getBoundingClientRect().width / size;
}"""
ENGLISH, CHINESE = "She said “yes” twice.", "他说“是的”两次。"


@pytest.fixture(scope="module")
def page(chromium: Any) -> Any:
    page = chromium.new_page()
    page.set_content('<p lang=zh style=\'font: 20px "Noto Sans CJK SC", "PingFang SC"\'>“</p>')
    wide = page.evaluate(
        "() => { const r = document.createRange();"
        " r.selectNodeContents(document.querySelector('p'));"
        " return r.getBoundingClientRect().width; }"
    )
    if wide < 16:
        pytest.skip("no Chinese font here that draws “ at its full width")
    yield page
    page.close()


@pytest.mark.parametrize(
    ("own", "other", "text", "wide"),
    [
        (("en", ENGLISH), "zh-hans", CHINESE, True),
        (("zh-hans", CHINESE), "en", ENGLISH, False),
    ],
)
def test_marks_have_the_width_of_their_language_in_a_page_of_the_other(
    page: Any, own: tuple[str, str], other: str, text: str, wide: bool
) -> None:
    page.set_content(PAGE.format(page=own[0], own=own[1], other=other, text=text))
    page.add_style_tag(path=str(CSS))
    for place in ("other", "read"):
        assert (page.evaluate(WIDTH, place) > 0.8) == wide, place
    for place in ("own", "unknown"):  # what has no language is taken for the page's
        assert (page.evaluate(WIDTH, place) > 0.8) != wide, place

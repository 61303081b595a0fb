"""What a first visit takes on the wire, and that its fonts are our own and free."""

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

FONTS = Path(settings.BASE_DIR) / "static" / "fonts"
BUDGET = 150_000  # bytes


def on_the_wire(path: str) -> int:
    """The size of a static file as it is sent: compressed, except what is already."""
    content = Path(finders.find(path)).read_bytes()
    return len(content) if path.endswith(".woff2") else len(gzip.compress(content, 6))


def modules_of(path: str, seen: set[str]) -> set[str]:
    """A module and all that it imports, as paths of static files."""
    if path in seen:
        return seen
    seen.add(path)
    file = Path(finders.find(path))
    for name in re.findall(r'(?:from|import) "(\.[^"]+)"', file.read_text()):
        target = (file.parent / name).resolve()
        modules_of(str(target.relative_to(Path(settings.BASE_DIR) / "static")), seen)
    return seen


@pytest.mark.django_db
def test_a_first_visit_takes_less_than_150_kb_with_both_fonts(client):
    page = client.get("/account/login/", headers={"accept-encoding": "gzip"})
    html = gzip.decompress(page.content) if page.headers.get("Content-Encoding") else page.content
    linked = set(re.findall(r'(?:href|src)="/static/([^"?]+)"', html.decode()))
    assert {"css/assay.css", "js/main.js"} <= linked
    scripts = {each for each in linked if each.endswith(".js")}
    files = linked | {m for script in scripts for m in modules_of(script, set())}
    files |= {f"fonts/{font.name}" for font in FONTS.glob("*.woff2")}
    assert len(files) > 30
    total = len(page.content) + sum(on_the_wire(path) for path in files)
    assert total < BUDGET


def test_each_font_is_declared_and_has_its_licence_beside_it():
    css = Path(finders.find("css/assay.css")).read_text()
    fonts = sorted(FONTS.glob("*.woff2"))
    assert len(fonts) == 2
    for font in fonts:
        assert f'url("../fonts/{font.name}")' in css
        assert font.read_bytes()[:4] == b"wOF2"
        licence = FONTS / f"{font.stem.removesuffix('-latin')}-LICENSE.txt"
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence.read_text()
    assert re.findall(r"url\(\"?(?:https?:)?//", css) == []

"""A comment in a template stands on one line; on several, Django shows it to everybody."""

from pathlib import Path

from django.conf import settings

TEMPLATES = Path(settings.BASE_DIR) / "templates"


def test_no_comment_of_a_template_is_shown_on_its_page() -> None:
    open_ones = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in sorted(TEMPLATES.rglob("*.html"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if line.count("{#") != line.count("#}")
    ]
    assert not open_ones, "\n".join(open_ones)

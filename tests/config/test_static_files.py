"""The modules of static/js: each import leads somewhere, also under the names that carry a hash."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.test import override_settings

from config.static_files import HashedFiles

SCRIPTS = Path(settings.BASE_DIR) / "static/js"
IMPORT = re.compile(r"""^(?:import|\})[^"'\n]*["'](\.[^"']+)["'];""", re.MULTILINE)
ENTRIES = [SCRIPTS / "main.js", *sorted(SCRIPTS.glob("pages/*.js"))]


def imports(module: Path) -> list[Path]:
    return [(module.parent / name).resolve() for name in IMPORT.findall(module.read_text("utf-8"))]


def reached(module: Path, known: frozenset[Path] = frozenset()) -> Iterator[Path]:
    """The modules this one needs, directly or through others; a circle is a fault."""
    for one in imports(module):
        assert one not in known, f"{module} imports in a circle"
        yield one
        yield from reached(one, known | {one})


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda path: path.stem)
def test_an_entry_names_all_it_needs_so_that_a_browser_asks_for_it_at_once(entry: Path) -> None:
    everywhere = {*reached(SCRIPTS / "main.js")} if entry.name != "main.js" else set()
    assert {*reached(entry)} - everywhere <= {*imports(entry)}


def test_no_module_is_left_that_no_entry_reaches() -> None:
    used = {*ENTRIES, SCRIPTS / "theme.js"}.union(*(reached(entry) for entry in ENTRIES))
    assert {*SCRIPTS.rglob("*.js")} == used


@override_settings(DEBUG=False)
def test_modules_import_each_other_by_names_that_carry_a_hash(tmp_path: Path) -> None:
    source = FileSystemStorage(location=SCRIPTS.parent)
    names = [str(path.relative_to(SCRIPTS.parent)) for path in SCRIPTS.rglob("*.js")]
    stored = HashedFiles(location=str(tmp_path), base_url="/static/")
    for name in names:
        with source.open(name) as file:
            stored.save(name, file)
    done = list(stored.post_process({name: (stored, name) for name in names}))
    assert not [fault for _name, _hashed, fault in done if isinstance(fault, Exception)]
    final = {tmp_path / hashed for hashed in stored.hashed_files.values()}
    assert len(final) == len(names)
    for module in final:
        for one in imports(module):
            assert one in final, f"{module.name} imports {one.name}"

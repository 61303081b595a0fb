"""Check a release's files against its manifest, and find a file for download."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings

from curation.base.web.refusals import NotFound
from judge.base.gold_sets.models import GoldRelease
from judge.gold.releases.files import MANIFEST, all_names, sha256_of


def folder_of(release: GoldRelease) -> Path:
    """Return the folder of a release's files."""
    return Path(settings.MEDIA_ROOT) / "gold" / str(release.number)


def content_sha256(manifest: Mapping[str, Any]) -> str:
    """Hash a manifest without its release block (number, date, version of the code)."""
    content = {name: value for name, value in manifest.items() if name != "release"}
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


@dataclass(frozen=True, slots=True)
class Checked:
    """The check of one file of a release. `slug` is the file's name in an address."""

    name: str
    slug: str
    rows: int | None
    size: int
    expected: str
    actual: str | None

    @property
    def fine(self) -> bool:
        return self.actual == self.expected

    @property
    def missing(self) -> bool:
        return self.actual is None


def slug_of(name: str) -> str:
    """Return a file's name as its address holds it."""
    return name.replace(".", "-").replace("_", "-").lower()


def verify(release: GoldRelease) -> list[Checked]:
    """Hash every file again and compare; the manifest by its content."""
    folder = folder_of(release)
    found = [
        Checked(
            name=file["name"],
            slug=slug_of(file["name"]),
            rows=file["rows"],
            size=file["bytes"],
            expected=file["sha256"],
            actual=sha256_of(folder / file["name"]),
        )
        for file in release.manifest["files"]
    ]
    return [*found, _manifest_check(release, folder / MANIFEST)]


def _manifest_check(release: GoldRelease, path: Path) -> Checked:
    actual: str | None = None
    size = 0
    try:
        data = path.read_bytes()
        size = len(data)
        actual = content_sha256(orjson.loads(data))
    except OSError:
        pass
    except (orjson.JSONDecodeError, AttributeError):
        actual = ""
    return Checked(MANIFEST, slug_of(MANIFEST), None, size, release.sha256, actual)


def path_of(release: GoldRelease, slug: str) -> Path:
    """Return the path of a release's file by its slug; only files of the manifest are found.

    Raises:
        NotFound: no such file in this release.
    """
    names = [file["name"] for file in release.manifest["files"]] + [MANIFEST]
    allowed = all_names()
    for name in names:
        if name in allowed and slug_of(name) == slug:
            path = folder_of(release) / name
            if path.is_file():
                return path
    raise NotFound()

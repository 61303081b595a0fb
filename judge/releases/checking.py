"""A release's files against its manifest, and the only way from an address to a file."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings

from curation.web.refusals import NotFound
from judge.releases.files import MANIFEST, every_name, sha256_of
from judge.releases.models import GoldRelease


def folder_of(release: GoldRelease) -> Path:
    """Where a release's files lie."""
    return Path(settings.MEDIA_ROOT) / "gold" / str(release.number)


def content_sha256(manifest: Mapping[str, Any]) -> str:
    """Hash of a manifest without its release block (number, date, version of the code)."""
    content = {name: value for name, value in manifest.items() if name != "release"}
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


@dataclass(frozen=True, slots=True)
class Checked:
    """One file of a release against its manifest. `slug` is its name in an address."""

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
    """A file's name as it stands in an address."""
    return name.replace(".", "-").replace("_", "-").lower()


def verify(release: GoldRelease) -> list[Checked]:
    """Hash every file again and compare; the manifest itself by its content."""
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
    """The path of a release's file by its slug; only names of the manifest have one.

    Raises:
        NotFound: no such file in this release.
    """
    names = [file["name"] for file in release.manifest["files"]] + [MANIFEST]
    allowed = every_name()
    for name in names:
        if name in allowed and slug_of(name) == slug:
            path = folder_of(release) / name
            if path.is_file():
                return path
    raise NotFound()

"""The settings of the tests: those of the product, with a test database and a quick hash."""

import os

_given = os.environ.get("DEBUG")
os.environ.setdefault("DEBUG", "1")

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, VAR_DIR  # noqa: E402

if _given is None:  # what the tests start decides by itself
    del os.environ["DEBUG"]

_worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
# Each process has a database of its own, and files: the first release of each is number 1.
MEDIA_ROOT = VAR_DIR / f"files-{_worker}"

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # Threads need a file: an in-memory test database ends in "table is locked".
    DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / f"test-{_worker}.sqlite3"}
    # No test asks what survives a power cut.
    DATABASES["default"]["OPTIONS"]["init_command"] += " PRAGMA synchronous=OFF;"

else:
    DATABASES["default"]["ENGINE"] = "tests.postgresql"

# Every test client builds the middleware again: look a static file up when it is asked for instead
# of listing all of them each time.
WHITENOISE_AUTOREFRESH = True

# A real hash for each of some thousand sign-ins would be most of the suite's time.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

"""Personas and the way in: every test signs in as somebody, through the door people use."""

import gc
import os

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright's loop beside the ORM
# No test asks what survives a power cut: PostgreSQL need not wait for the disk at each commit.
os.environ.setdefault("PGOPTIONS", "-c synchronous_commit=off")

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import login
from django.core.cache import cache
from django.core.management.commands import flush
from django.core.management.sql import sql_flush
from django.http import HttpRequest
from django.test import Client
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis

from curation.base.access.duties import Duty, columns_of
from curation.base.process.signals import file_added
from curation.joining.accounts import terms
from curation.joining.accounts.models import TermsConsent
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User
from curation.qualifying.training import units
from curation.qualifying.training.models import TrainingUnitPass
from rubrics.marks import stored
from rubrics.marks.models import StoredMarks
from rubrics.marks.stored import marks_wanted
from tests.attached import read_at_once
from tests.worlds import World, given, settle_worlds, world_database, worlds_of  # noqa: F401

PASSWORD = "a long sentence for tests"  # noqa: S105

# A busy machine is no fault of what is tested: nothing is judged by how long it took.
hypothesis.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis.load_profile("busy")


# Longest first: a long module must not begin when the other processes are nearly through.
LONG = (
    "browser/test_pages.py",
    "base/access/test_presses_at_once.py",
    "base/access/test_queries.py",
    "base/access/test_matrix.py",
    "base/access/test_crawl.py",
    "browser/test_new_expert.py",
    "browser/test_rubric_day.py",
    "joining/notices/test_world.py",
    "walk/test_whole_process.py",
    "properties/test_random_walks.py",
    "runs/engine/test_batches.py",
    "gold/importing/test_other_order.py",
    "browser/test_main_stretch.py",
    "runs/engine/test_resume.py",
    "asking/candidates/test_interrupted.py",
    "test_architecture.py",  # it would be the very last, and leave one process idle meanwhile
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Put the browser's modules first, which share one Chromium, and the long ones before others.

    Within a module, a test comes after those that ask for fewer worlds, so that it sees no others.
    """
    settle_worlds(items)
    here = Path(__file__).parent
    places = {here / name: place for place, name in enumerate(LONG)}
    browser = here / "browser"
    modules = list(dict.fromkeys(item.path for item in items))
    modules.sort(key=lambda path: (browser not in path.parents, places.get(path, len(LONG))))
    order = {path: place for place, path in enumerate(modules)}
    items.sort(key=lambda item: (order[item.path], len(worlds_of(item))))


def pytest_collection_finish() -> None:
    """What is loaded by now stays: the collector of garbage need not look at it again and again."""
    gc.collect()
    gc.freeze()


def mark_at_once(sender: Any, instance: StoredMarks, **_: Any) -> None:
    """Compute the marks of lines, as a worker does that has nothing else to do."""
    stored.compute(instance)


def _work_at_once() -> None:
    file_added.connect(read_at_once, dispatch_uid="tests.read_at_once")
    marks_wanted.connect(mark_at_once, dispatch_uid="tests.mark_at_once")


# The worker reads files and computes marks. In tests that have none, both are there at once.
_work_at_once()


def _emptying(*asked: Any, **more: Any) -> list[str]:
    """What empties the tables after a test that commits: those of Django's own rights stay."""
    kept = ("django_content_type", "auth_permission")
    return [one for one in sql_flush(*asked, **more) if not any(table in one for table in kept)]


# Nothing of the product reads these rights: making them anew took most of the emptying.
flush.sql_flush = _emptying
flush.emit_post_migrate_signal = lambda *_: None


@pytest.fixture
def slow_worker() -> Iterator[None]:
    """Leave files unread and lines without new marks, until the test runs the worker."""
    file_added.disconnect(dispatch_uid="tests.read_at_once")
    marks_wanted.disconnect(dispatch_uid="tests.mark_at_once")
    yield
    _work_at_once()


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A page read in Chinese must not leave its language to the next test."""
    yield
    translation.activate("en")


@pytest.fixture(autouse=True)
def _no_counts_in_memory() -> Iterator[None]:
    """The database forgets with each test what it counted; what it had no room for goes, too."""
    yield
    cache.memory.clear()


@pytest.fixture(autouse=True)
def work_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that ended its worker is done in this process: another one sees no open transaction."""
    from judge.jobs import alone, jobs

    def do(work: Any) -> int:
        alone.hand_over(work)
        jobs.JOBS[work.kind](work.object_id)
        return 0

    monkeypatch.setattr(alone, "do", do)


def new_domain(key: str) -> Domain:
    """A domain: `new_domain("finance")`."""
    name_zh, position = {"finance": ("金融", 1), "law": ("法律", 2)}[key]
    return Domain.objects.create(key=key, name=key.capitalize(), name_zh=name_zh, position=position)


@pytest.fixture
def finance(db: Any, given: World) -> Domain:  # noqa: F811
    return given["finance"] if "finance" in given else new_domain("finance")


@pytest.fixture
def law(db: Any, given: World) -> Domain:  # noqa: F811
    return given["law"] if "law" in given else new_domain("law")


def trained(user: User) -> User:
    """Somebody who has passed every unit of the training."""
    edition = units.current_edition()
    TrainingUnitPass.objects.bulk_create(
        TrainingUnitPass(user=user, edition=edition, unit=unit) for unit in units.unit_keys()
    )
    return user


def new_person(name: str, *domains: Domain, senior: bool = False, **fields: Any) -> User:
    """A person: `new_person("sen", finance, senior=True)`."""
    user = User.objects.create_user(
        f"{name}@example.test", PASSWORD, display_name=name.title(), **fields
    )
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    for domain in domains:
        Qualification.objects.create(user=user, domain=domain, senior=senior)
    if domains:
        trained(user)
        TermsConsent.objects.create(user=user, version=terms.current_version())
    return user


def make_staff(user: User) -> User:
    """Somebody who becomes staff as well, with every duty."""
    user.is_staff = True
    for column, has in columns_of(Duty).items():
        setattr(user, column, has)
    user.save(update_fields=["is_staff", *columns_of(Duty)])
    return user


@pytest.fixture
def person(db: Any, given: World) -> Callable[..., User]:  # noqa: F811
    """Make a person, or read the one whom the world has: `person("ana", finance)`."""

    def make(name: str, *domains: Domain, **options: Any) -> User:
        return given[name] if name in given else new_person(name, *domains, **options)

    return make


@pytest.fixture
def author(person: Any, finance: Domain) -> User:
    return person("author", finance)


@pytest.fixture
def peer(person: Any, finance: Domain) -> User:
    """Another expert of the domain: screener, reviewer or scorer."""
    return person("peer", finance)


@pytest.fixture
def senior(person: Any, finance: Domain) -> User:
    return person("senior", finance, senior=True)


@pytest.fixture
def staff(person: Any) -> User:
    return person("staff", is_staff=True)


@pytest.fixture
def stranger(person: Any, law: Domain) -> User:
    """An expert of another domain."""
    return person("stranger", law)


@pytest.fixture
def applicant(person: Any) -> User:
    return person("applicant")


def browser_of(user: User) -> Client:
    """A browser with a person signed in.

    Django's own `force_login` stores a session of nobody first, which this one would replace.
    """
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore()
    user = User.objects.get(pk=user.pk)  # a step may have ended older sessions meanwhile
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    request.session.save()
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = request.session.session_key
    return client


@pytest.fixture
def sign_in() -> Callable[[User], Client]:
    return browser_of

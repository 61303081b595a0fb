"""Personas and the way in: every test signs in as somebody, through the door people use."""

import gc
import os

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright's loop beside the ORM
# No test asks what survives a power cut: PostgreSQL need not wait for the disk at each commit.
os.environ.setdefault("PGOPTIONS", "-c synchronous_commit=off")

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import translation
from hypothesis import HealthCheck, settings
from whitenoise.middleware import WhiteNoiseMiddleware

from curation.applications import terms
from curation.applications.consents import TermsConsent
from curation.domains.models import Domain
from curation.people.models import Qualification, User
from curation.training import units
from curation.training.models import TrainingUnitPass

PASSWORD = "a long sentence for tests"  # noqa: S105

# A busy machine is no fault of what is tested: nothing is judged by how long it took.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


# Longest first: a long module must not begin when the other processes are nearly through.
LONG = (
    "browser/test_pages.py",
    "access/test_ten_presses.py",
    "access/test_queries.py",
    "access/test_matrix.py",
    "access/test_crawl.py",
    "browser/test_new_expert.py",
    "browser/test_rubric_day.py",
    "notices/test_world.py",
    "walk/test_whole_process.py",
    "properties/test_random_walks.py",
    "judge_engine/test_batches.py",
    "importing/test_other_order.py",
    "browser/test_main_stretch.py",
    "judge_engine/test_resume.py",
    "candidates/test_interrupted.py",
    "test_architecture.py",  # it would be the very last, and leave one process idle meanwhile
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the long modules first, in the order of the list, and the browser's before the others."""
    here = Path(__file__).parent
    places = {here / name: place for place, name in enumerate(LONG)}
    browser = here / "browser"
    items.sort(
        key=lambda item: places.get(item.path, len(LONG) + (browser not in item.path.parents))
    )


def pytest_collection_finish() -> None:
    """What is loaded by now stays: the collector of garbage need not look at it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _emptied_row_by_row() -> Iterator[None]:
    """Empty PostgreSQL's tables by DELETE between tests that commit.

    TRUNCATE makes new files for 110 tables and all their indexes, which takes a second or two;
    the few rows of a test are gone in milliseconds. Foreign keys are looked at when all is done.
    """
    truncate = type(connection.ops).sql_flush

    def delete(
        ops: Any, style: Any, tables: list[str], *, reset_sequences: bool = False, **options: Any
    ) -> list[str]:
        if reset_sequences:
            return list(truncate(ops, style, tables, reset_sequences=True, **options))
        return [f"DELETE FROM {ops.quote_name(table)};" for table in tables]  # noqa: S608

    with pytest.MonkeyPatch.context() as patch:
        if connection.vendor == "postgresql":
            patch.setattr(type(connection.ops), "sql_flush", delete)
        yield


@pytest.fixture(autouse=True, scope="session")
def _static_files_listed_once() -> Iterator[None]:
    """Every test client builds the middleware anew; WhiteNoise need not list all files for each."""
    listed: dict[str, Any] = {}
    list_all = WhiteNoiseMiddleware.add_files_from_finders

    def once(middleware: WhiteNoiseMiddleware) -> None:
        if not listed:
            list_all(middleware)
            listed.update(middleware.files)
        middleware.files.update(listed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", once)
        yield


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A page read in Chinese must not leave its language to the next test."""
    yield
    translation.activate("en")


@pytest.fixture
def finance(db: Any) -> Domain:
    return Domain.objects.create(key="finance", name="Finance", name_zh="金融", position=1)


@pytest.fixture
def law(db: Any) -> Domain:
    return Domain.objects.create(key="law", name="Law", name_zh="法律", position=2)


def trained(user: User) -> User:
    """Somebody who has passed every unit of the training."""
    edition = units.current_edition()
    TrainingUnitPass.objects.bulk_create(
        TrainingUnitPass(user=user, edition=edition, unit=unit) for unit in units.unit_keys()
    )
    return user


@pytest.fixture
def person(db: Any) -> Callable[..., User]:
    """Make a person: `person("ana", finance)`, `person("sen", finance, senior=True)`."""

    def make(name: str, *domains: Domain, senior: bool = False, **fields: Any) -> User:
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


@pytest.fixture
def sign_in() -> Callable[[User], Client]:
    """A browser with a person signed in."""

    def go(user: User) -> Client:
        client = Client()
        user = User.objects.get(pk=user.pk)  # a step may have ended older sessions meanwhile
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return go


@pytest.fixture
def judge_at(transactional_db: Any, settings: Any) -> Iterator[Callable[..., Any]]:
    """Migrate the tables of `judge` to a migration, or to the last; at the end they are complete.

    The suite usually makes its tables without migrations. These are real all the same: they are
    read from their files, and recorded as applied while the test runs.
    """
    settings.MIGRATION_MODULES = {}
    recorder = MigrationRecorder(connection)
    lent = not recorder.has_table()
    if lent:
        recorder.ensure_schema()
        for app, name in MigrationLoader(None).disk_migrations:
            recorder.record_applied(app, name)

    def at(name: str = "") -> Any:
        """The apps as they were then."""
        executor = MigrationExecutor(connection)
        target = ("judge", name) if name else executor.loader.graph.leaf_nodes("judge")[0]
        return executor.migrate([target]).apps

    yield at
    at()
    if lent:
        with connection.schema_editor() as editor:
            editor.delete_model(recorder.Migration)

"""A thing of each kind that holds files, and a folder of their own."""

from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.actions import apply
from curation.qualifying.applications.models import Application
from curation.tasks.authoring.actions import create_task
from curation.tasks.task.models import Task
from tests.qualifying.qualification.conftest import PROFILE


@pytest.fixture(autouse=True)
def _folder(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def draft(author: User, finance: Domain) -> Task:
    return create_task(actor=author, domain=finance, title="Covenant headroom")


@pytest.fixture
def application(applicant: User, finance: Domain) -> Application:
    return apply(actor=applicant, domain=finance, **PROFILE)

"""Applications that came by a personal invitation before that way had a name."""

import importlib

import pytest
from django.apps import apps

from curation.applications.models import Application
from curation.invitations.actions import invite_person, record_arrival
from curation.people.models import User

pytestmark = pytest.mark.django_db
MIGRATION = importlib.import_module("curation.migrations.0020_by_invitation")


def routes() -> dict[str, str]:
    return dict(Application.objects.values_list("user__email", "route"))


def test_rows_of_invited_people_say_so_and_all_others_stay(
    staff: User, applicant: User, person, applied
) -> None:
    invited = person("invited")
    record_arrival(
        invitation=invite_person(actor=staff, email="invited@mail.test", name="I"), user=invited
    )
    applied(invited)
    applied(applicant)
    Application.objects.update(route="direct")  # as the older product stored both
    MIGRATION.name_invitations(apps, None)
    after = {invited.email: "invitation", applicant.email: "direct"}
    assert routes() == after
    MIGRATION.unname_invitations(apps, None)
    assert set(routes().values()) == {"direct"}

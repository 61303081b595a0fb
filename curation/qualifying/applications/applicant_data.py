"""Removal of what applicants said of themselves, for people whose name is removed."""

from django.utils.translation import gettext_noop

from curation.joining.people import User
from curation.qualifying.applications.models import Application, ApplicationDraft
from curation.tasks.attachments.actions import delete_files_of

REMOVED = gettext_noop("(removed)")  # stored in English where a column must not be empty


def remove_applicant_data(person: User) -> None:
    """Remove affiliation, degree, credentials, languages, certifications and their evidence.

    Domain, route, years and the history of the applications stay.
    """
    ApplicationDraft.objects.filter(user=person).delete()
    for application in Application.objects.filter(user=person):
        application.certifications.update(title=REMOVED, issuer="", year=None)
        delete_files_of(application, name=REMOVED)
    Application.objects.filter(user=person).update(
        affiliation=REMOVED, degree=REMOVED, credentials=REMOVED, languages=[]
    )

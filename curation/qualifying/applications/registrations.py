"""What applications give to the nouns below; they hold the evidence of certifications."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from curation.base.access import permissions
from curation.base.process.lifecycle import ApplicationStage
from curation.joining import people
from curation.qualifying.applications.models import Application
from curation.qualifying.applications.queries import referred_by_name
from curation.tasks.attachments import holders
from curation.tasks.attachments.holders import Holder
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import independent

holders.register(
    Holder(
        kind="application",
        model=Application,
        related=("domain", "user"),
        blind=False,
        owner_id=lambda thing: thing.user_id,
        is_open=lambda thing: thing.stage == ApplicationStage.APPLIED,
        page=lambda thing: reverse("application", args=[thing.pk]),
        readers=[permissions.is_its_owner, permissions.is_staff],
    )
)
people.register(referred_by_name)
text_basis.register(
    *independent(_("It leads to a file, which may belong to a task."), "curation.Certification"),
    *independent(_("It says who looked a certificate up."), "curation.CertificateCheck"),
)

"""What similar prompts give to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.base.process import periodic_jobs
from curation.tasks.authoring.similar_actions import store_missing_fingerprints
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import records

periodic_jobs.register(store_missing_fingerprints)
text_basis.register(
    *records(
        _("It is computed again when the prompt is amended."),
        "curation.Fingerprint",
        "curation.FingerprintMark",
    ),
)

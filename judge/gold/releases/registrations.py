"""What errata of releases give to the nouns below."""

from django.utils.translation import gettext_lazy as _

from curation.joining.notices import notify
from curation.joining.notices.notify import Kind, Topic
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import records
from judge.gold.releases import errata
from judge.gold.releases.errata import Erratum

errata.connect()
notify.register(
    Kind(
        "erratum_decided",
        Topic.PROGRAMME,
        _("Your report on a task of release %(release)s is decided"),
        _("Staff have read it and answered you."),
        _("Read the answer"),
    ),
)
text_basis.register(
    *records(
        _("It says what was wrong with the task in a release that keeps its files."),
        "judge.Erratum",
    ),
)
parts.register(
    Part(
        "errata",
        Erratum,
        "entered_by",
        ("release__number", "task__key", "kind", "text", "contact", "at", "state", "answer"),
    ),
)

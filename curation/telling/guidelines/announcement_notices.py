"""The notice of an announcement."""

from django.utils.translation import gettext_lazy as _

from curation.joining.notices.notify import Kind, Topic

KINDS = (
    Kind(
        "announcement",
        Topic.PROGRAMME,
        _("An announcement: %(title)s"),
        _("Home shows it too, until you have read it."),
        _("Read it"),
    ),
)

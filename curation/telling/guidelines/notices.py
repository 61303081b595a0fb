"""The notices of a published guideline and of an announcement."""

from django.utils.translation import gettext_lazy as _

from curation.joining.notices.notify import Kind, Topic

KINDS = (
    Kind(
        "guideline_published",
        Topic.PROGRAMME,
        _("The guideline of %(domain)s has a new version"),
        _("Version %(version)s is in force. This changed:"),
        _("Read the guideline"),
    ),
    Kind(
        "programme_guideline_published",
        Topic.PROGRAMME,
        _("The guideline of the programme has a new version"),
        _("Version %(version)s is in force. This changed:"),
        _("Read the guideline"),
    ),
    Kind(
        "announcement",
        Topic.PROGRAMME,
        _("An announcement: %(title)s"),
        _("Home shows it too, until you have read it."),
        _("Read it"),
    ),
)

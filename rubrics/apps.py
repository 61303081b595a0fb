from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RubricsConfig(AppConfig):
    name = "rubrics"
    verbose_name = _("Rubrics")

    def ready(self) -> None:
        from curation.access import permissions as access
        from curation.activity import audit, trail
        from curation.data_copies import parts as data_copies
        from curation.notices import notify
        from curation.tasks import text_basis
        from rubrics import dependents, permissions, receivers
        from rubrics.data_copy import PARTS
        from rubrics.handover import notices
        from rubrics.trail import AUDIT_SOURCES, rubric_trail

        access.register(permissions.PERMISSIONS)
        notify.register(notices.KINDS)
        notices.connect()
        receivers.connect()
        trail.register(rubric_trail)
        data_copies.register(*PARTS)
        audit.register(*AUDIT_SOURCES)
        text_basis.register(dependents.ROWS)

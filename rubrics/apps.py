from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RubricsConfig(AppConfig):
    name = "rubrics"
    verbose_name = _("Rubrics")

    def ready(self) -> None:
        from curation.access import permissions as access
        from curation.activity import audit, trail
        from rubrics import permissions
        from rubrics.acts import LEDGERS, rubric_acts

        access.register(permissions.PERMISSIONS)
        trail.register(rubric_acts)
        audit.register(*LEDGERS)

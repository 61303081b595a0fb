from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RubricsConfig(AppConfig):
    name = "rubrics"
    verbose_name = _("Rubrics")

    def ready(self) -> None:
        from curation import access, trail
        from curation.queries import audit
        from rubrics import permissions
        from rubrics.acts import LEDGERS, rubric_acts

        access.register(permissions.PERMISSIONS, permissions.ROUTES)
        trail.register(rubric_acts)
        audit.register(*LEDGERS)

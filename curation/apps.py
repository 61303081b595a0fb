from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CurationConfig(AppConfig):
    name = "curation"
    verbose_name = _("People and tasks")

    def ready(self) -> None:
        from curation import access, permissions

        access.register(permissions.PERMISSIONS, permissions.ROUTES)

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = _("Review")

    def ready(self) -> None:
        from curation import access
        from review import permissions, receivers

        access.register(permissions.PERMISSIONS, permissions.ROUTES)
        receivers.connect()

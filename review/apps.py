from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = _("Review")

    def ready(self) -> None:
        from curation import access
        from review import permissions, queries, receivers
        from rubrics import threads

        access.register(permissions.PERMISSIONS, permissions.ROUTES)
        receivers.connect()
        threads.register(queries.AuthorReader())

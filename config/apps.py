from django.apps import AppConfig


class RootConfig(AppConfig):
    name = "config"
    label = "root"

    def ready(self) -> None:
        from config.permissions import ROUTES
        from curation import access

        access.register({}, ROUTES)

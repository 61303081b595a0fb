from django.apps import AppConfig


class RootConfig(AppConfig):
    name = "config"
    label = "root"

    def ready(self) -> None:
        from config.finding import SOURCES
        from config.permissions import ROUTES
        from curation import access, search

        access.register({}, ROUTES)
        search.register(*SOURCES)

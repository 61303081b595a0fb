from django.apps import AppConfig


class RootConfig(AppConfig):
    name = "config"
    label = "root"

    def ready(self) -> None:
        from config.finding import SOURCES
        from config.permissions import ROUTES
        from curation.access import permissions as access
        from curation.search import search

        for name, verbs in ROUTES.items():
            access.add_route(name, verbs)
        search.register(*SOURCES)

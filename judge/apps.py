from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JudgeConfig(AppConfig):
    name = "judge"
    verbose_name = _("Judging")

    def ready(self) -> None:
        from curation.base.process.registrations import import_registrations

        import_registrations(self)

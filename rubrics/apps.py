from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RubricsConfig(AppConfig):
    name = "rubrics"
    verbose_name = _("Rubrics")

    def ready(self) -> None:
        from curation.access import permissions as access
        from curation.activity import audit, trail
        from curation.data_copies import parts as data_copies
        from curation.honoraria import sources
        from curation.notices import notify
        from curation.programme_settings import declared as programme_settings
        from curation.questions import subjects
        from curation.tasks import text_basis
        from rubrics import dependents, permissions, receivers
        from rubrics.data_copy import PARTS
        from rubrics.handover import notices
        from rubrics.paid_work import SOURCES as PAID
        from rubrics.policy.settings_source import SOURCES as SETTINGS
        from rubrics.trail import AUDIT_SOURCES, rubric_trail
        from rubrics.workbench import question_subjects

        access.register(permissions.PERMISSIONS)
        notify.register(notices.KINDS)
        programme_settings.register(*SETTINGS)
        notices.connect()
        receivers.connect()
        trail.register(rubric_trail)
        subjects.register(
            question_subjects.lines_of_task,
            question_subjects.texts_of_task,
            question_subjects.linter_rules,
        )
        data_copies.register(*PARTS)
        sources.register(*PAID)
        audit.register(*AUDIT_SOURCES)
        text_basis.register(dependents.ROWS)

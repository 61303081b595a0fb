from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RubricsConfig(AppConfig):
    name = "rubrics"
    verbose_name = _("Rubrics")

    def ready(self) -> None:
        from curation.base.access import permissions as access
        from curation.joining.notices import notify
        from curation.leaving.data_copies import parts as data_copies
        from curation.staff.honoraria import sources
        from curation.staff.programme_settings import declared as programme_settings
        from curation.tasks.task import text_basis
        from curation.telling.activity import audit, trail
        from curation.telling.questions import subjects
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

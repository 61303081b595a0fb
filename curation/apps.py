from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CurationConfig(AppConfig):
    name = "curation"
    verbose_name = _("People and tasks")

    def ready(self) -> None:
        from django.forms import Field

        from curation import (
            access,
            accounts,
            chores,
            folding,
            mailing,
            notice_kinds,
            notices,
            once,
            permissions,
            reminders,
            search,
            signals,
            standing,
            system_checks,  # noqa: F401  registers itself
            telling,
            terms,
            trail,
        )
        from curation.actions import attachments, exams, likeness, panel, places, training
        from curation.models import Application
        from curation.queries.acts import task_acts
        from curation.queries.finding import SOURCES
        from curation.queries.standing import facts

        # An empty field is told alike on every form; one with words of its own keeps them.
        Field.default_error_messages["required"] = _("Please fill this in.")
        access.register(permissions.PERMISSIONS, permissions.ROUTES)
        standing.register(facts)
        trail.register(task_acts)
        accounts.listen()
        folding.listen()
        search.register(*SOURCES)
        notices.register(notice_kinds.KINDS)
        telling.connect()
        signals.stage_entered.connect(
            training.skip_what_is_known, sender=Application, dispatch_uid="curation.training"
        )
        terms.listen()
        # in this order: what a chore tells goes out with the same sweep
        chores.register(exams.close_overdue, places.expire_places, panel.fill_panels)
        chores.register(likeness.remember_missing, once.forget_sent_forms)
        chores.register(reminders.remind_people, mailing.send_due, attachments.clean_removed)

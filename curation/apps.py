from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CurationConfig(AppConfig):
    name = "curation"
    verbose_name = _("People and tasks")

    def ready(self) -> None:
        from curation import dependents, permissions
        from curation.access.permissions import register as register_permissions
        from curation.accounts import adapter
        from curation.activity import notice_kinds, notify_people, reminders, trail
        from curation.activity.task_trail import task_trail
        from curation.amendments import finished_work as of_amendments
        from curation.amendments import notices as amendments
        from curation.amendments.access import may_decide_its_amendment
        from curation.applications import attachment_holder as of_applications
        from curation.applications import terms
        from curation.applications.models import Application
        from curation.attachments import actions as attachments
        from curation.attachments import holders
        from curation.data_copies import parts as data_copies
        from curation.data_copies.own_parts import PARTS
        from curation.exams.actions import close_overdue
        from curation.experts import record
        from curation.experts.record_queries import facts
        from curation.file_views.read_files import read_waiting_files
        from curation.notices import (
            email_digest,
            notify,
            system_checks,  # noqa: F401  registers itself
        )
        from curation.panels import finished_work as of_panels
        from curation.panels.actions import fill_panels
        from curation.panels.seats import expire_places
        from curation.process import lifecycle, periodic_jobs, signals
        from curation.reverification import receivers as reverification
        from curation.reverification.actions import ask_for_due
        from curation.screening.access import checks_the_task
        from curation.search import case_folding, search
        from curation.search.queries import SOURCES
        from curation.similar.actions import store_missing_fingerprints
        from curation.solving.access import solves_the_task
        from curation.tasks import attachment_holder as of_tasks
        from curation.tasks import finished_work, text_basis
        from curation.training.actions import skip_passed_training
        from curation.trials import attachment_holder as of_trials
        from curation.trials import receivers as trials
        from curation.web import icons
        from curation.web.once import forget_sent_forms

        register_permissions(permissions.PERMISSIONS)
        text_basis.register(dependents.ROWS)
        record.register(facts)
        data_copies.register(*PARTS)
        trail.register(task_trail)
        finished_work.register(*of_panels.SOURCES, of_amendments.SOURCE)
        adapter.listen()
        case_folding.connect()
        icons.name_shapes(lifecycle.shapes())
        search.register(*SOURCES)
        notify.register(notice_kinds.KINDS)
        notify.register(amendments.KINDS)
        notify_people.connect()
        amendments.connect()
        trials.connect()
        reverification.connect()
        signals.stage_entered.connect(
            skip_passed_training, sender=Application, dispatch_uid="curation.training"
        )
        terms.listen()
        for holder in (of_applications.HOLDER, of_tasks.HOLDER, of_trials.HOLDER):
            holders.register(holder)
        holders.grant_reading("task", checks_the_task)
        holders.grant_reading("task", may_decide_its_amendment)
        holders.grant_reading("task", solves_the_task)
        # In this order, so that e-mails about what the jobs did are sent by the same sweep.
        periodic_jobs.register(close_overdue, expire_places, fill_panels, ask_for_due)
        periodic_jobs.register(store_missing_fingerprints, forget_sent_forms, read_waiting_files)
        periodic_jobs.register(
            reminders.remind_people, email_digest.send_due, attachments.clean_removed
        )

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CurationConfig(AppConfig):
    name = "curation"
    verbose_name = _("People and tasks")

    def ready(self) -> None:
        from curation import dependents, permissions
        from curation.access.permissions import register as register_permissions
        from curation.accounts import adapter, sign_ins, terms
        from curation.activity import audit, notice_kinds, notify_people, reminders, trail
        from curation.activity.audit_sources import AUDIT_SOURCES
        from curation.activity.task_trail import task_trail
        from curation.amendments import finished_work as of_amendments
        from curation.amendments import notices as amendments
        from curation.amendments.access import may_decide_its_amendment
        from curation.announcements import notices as announcements
        from curation.announcements.actions import tell_due_announcements
        from curation.applications import attachment_holder as of_applications
        from curation.applications.models import Application
        from curation.applications.queries import referred_by_name
        from curation.attachments import actions as attachments
        from curation.attachments import holders
        from curation.authoring import requirements
        from curation.closed_accounts import bulk_steps as of_closed_accounts
        from curation.data_copies import parts as data_copies
        from curation.data_copies.own_parts import PARTS
        from curation.deadlines import bulk_steps as of_deadlines
        from curation.deadlines import in_hand
        from curation.deadlines import notices as deadlines
        from curation.deadlines.sources import places, returned, rubrics
        from curation.exams.actions import close_overdue
        from curation.experts import bulk_steps as of_experts
        from curation.experts import record
        from curation.experts.record_queries import facts
        from curation.guidelines import notices as guidelines
        from curation.honoraria import bulk_steps as of_honoraria
        from curation.honoraria import notices as honoraria
        from curation.honoraria import paid_work, sources
        from curation.honoraria.collect import collect_finished_work
        from curation.invitations import mailing
        from curation.invitations.queries import referred_by_link
        from curation.lists.bulk import register_steps
        from curation.notices import (
            email_digest,
            notify,
            system_checks,  # noqa: F401  registers itself
        )
        from curation.panels import finished_work as of_panels
        from curation.panels.actions import fill_panels
        from curation.panels.seats import expire_places
        from curation.people import conflicts
        from curation.process import lifecycle, periodic_jobs, signals
        from curation.programme_settings import declared as programme_settings
        from curation.programme_settings.own import SOURCES as SETTINGS
        from curation.qualification import bulk_steps as of_qualification
        from curation.questions import notices as questions
        from curation.reverification import receivers as reverification
        from curation.reverification.actions import ask_for_due
        from curation.screening.access import checks_the_task
        from curation.search import case_folding, search
        from curation.search.queries import SOURCES
        from curation.similar.actions import store_missing_fingerprints
        from curation.solving import receivers as solving
        from curation.solving.access import solves_the_task
        from curation.staff_duties.audit_source import SOURCE as DUTIES
        from curation.tasks import attachment_holder as of_tasks
        from curation.tasks import finished_work, text_basis
        from curation.tasks import notices as task_notices
        from curation.training.actions import require_training, skip_passed_training
        from curation.trials import attachment_holder as of_trials
        from curation.trials import receivers as trials
        from curation.web import icons
        from curation.web.once import forget_sent_forms

        register_permissions(permissions.PERMISSIONS)
        text_basis.register(dependents.ROWS)
        record.register(facts)
        data_copies.register(*PARTS)
        trail.register(task_trail)
        audit.register(*AUDIT_SOURCES, DUTIES)
        finished_work.register(*of_panels.SOURCES, of_amendments.SOURCE)
        adapter.listen()
        sign_ins.listen()
        case_folding.connect()
        icons.name_shapes(lifecycle.shapes())
        search.register(*SOURCES)
        programme_settings.register(*SETTINGS)
        register_steps("applications", *of_qualification.STEPS)
        register_steps("people", *of_experts.STEPS, *of_closed_accounts.STEPS)
        register_steps("tasks", *of_deadlines.STEPS)
        register_steps("honoraria", *of_honoraria.STEPS)
        sources.register(*paid_work.SOURCES)
        in_hand.register(returned, rubrics, places)
        notify.register(notice_kinds.KINDS)
        notify.register(amendments.KINDS)
        notify.register(deadlines.KINDS)
        for noun in (questions, guidelines, announcements):
            notify.register(noun.KINDS)
        notify.register(honoraria.KINDS)
        notify_people.connect()
        task_notices.connect()
        amendments.connect()
        trials.connect()
        reverification.connect()
        solving.connect()
        signals.stage_entered.connect(
            skip_passed_training, sender=Application, dispatch_uid="curation.training"
        )
        terms.listen()
        requirements.register(require_training)
        conflicts.register(referred_by_name)
        conflicts.register(referred_by_link)
        for holder in (of_applications.HOLDER, of_tasks.HOLDER, of_trials.HOLDER):
            holders.register(holder)
        holders.grant_reading("task", checks_the_task)
        holders.grant_reading("task", may_decide_its_amendment)
        holders.grant_reading("task", solves_the_task)
        # In this order, so that e-mails about what the jobs did are sent by the same sweep.
        periodic_jobs.register(close_overdue, expire_places, fill_panels, ask_for_due)
        periodic_jobs.register(tell_due_announcements)
        periodic_jobs.register(store_missing_fingerprints, forget_sent_forms)
        periodic_jobs.register(sign_ins.forget_old_sign_ins)
        periodic_jobs.register(collect_finished_work)
        periodic_jobs.register(
            reminders.remind_people,
            email_digest.send_due,
            mailing.send_waiting,
            attachments.clean_removed,
        )

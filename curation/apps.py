from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CurationConfig(AppConfig):
    name = "curation"
    verbose_name = _("People and tasks")

    def ready(self) -> None:
        from curation import dependents, permissions
        from curation.base.access.permissions import register as register_permissions
        from curation.base.lists.bulk import register_steps
        from curation.base.process import lifecycle, periodic_jobs, signals
        from curation.base.web import icons
        from curation.base.web.once import forget_sent_forms
        from curation.joining import people
        from curation.joining.accounts import adapter, sign_ins, terms
        from curation.joining.invitations import mailing
        from curation.joining.invitations.queries import referred_by_link
        from curation.joining.notices import (
            email_digest,
            notify,
            system_checks,  # noqa: F401  registers itself
        )
        from curation.leaving.closed_accounts import bulk_steps as of_closed_accounts
        from curation.leaving.data_copies import parts as data_copies
        from curation.leaving.data_copies.own_parts import PARTS
        from curation.qualifying.applications import attachment_holder as of_applications
        from curation.qualifying.applications.models import Application
        from curation.qualifying.applications.queries import referred_by_name
        from curation.qualifying.exams.actions import close_overdue
        from curation.qualifying.experts import bulk_steps as of_experts
        from curation.qualifying.experts import record
        from curation.qualifying.experts.record_queries import facts
        from curation.qualifying.qualification import bulk_steps as of_qualification
        from curation.qualifying.training.actions import require_training, skip_passed_training
        from curation.qualifying.trials import attachment_holder as of_trials
        from curation.qualifying.trials import receivers as trials
        from curation.screening.panels import finished_work as of_panels
        from curation.screening.panels.actions import fill_panels
        from curation.screening.panels.seats import expire_places
        from curation.screening.panels.voting_queries import checks_the_task
        from curation.screening.solving import actions as solving
        from curation.screening.solving.queries import solves_the_task
        from curation.staff.honoraria import entry_list as of_honoraria
        from curation.staff.honoraria import notices as honoraria
        from curation.staff.honoraria import sources
        from curation.staff.pipeline import deadline_bulk_steps as of_deadlines
        from curation.staff.pipeline import deadline_in_hand as in_hand
        from curation.staff.pipeline import deadlines as deadlines
        from curation.staff.pipeline.deadline_sources import places, returned, rubrics
        from curation.staff.programme_settings import declared as programme_settings
        from curation.staff.programme_settings.duties import SOURCE as DUTIES
        from curation.staff.programme_settings.own import SOURCES as SETTINGS
        from curation.tasks.amendments import finished_work as of_amendments
        from curation.tasks.amendments import notices as amendments
        from curation.tasks.amendments.queries import may_decide_its_amendment
        from curation.tasks.attachments import actions as attachments
        from curation.tasks.attachments import holders
        from curation.tasks.authoring import requirements
        from curation.tasks.authoring.similar_actions import store_missing_fingerprints
        from curation.tasks.business import reverification_actions as reverification
        from curation.tasks.business.reverification_actions import ask_for_due
        from curation.tasks.task import attachment_holder as of_tasks
        from curation.tasks.task import finished_work, text_basis
        from curation.tasks.task import notices as task_notices
        from curation.telling.activity import audit, notice_kinds, notify_people, reminders, trail
        from curation.telling.activity.audit_sources import AUDIT_SOURCES
        from curation.telling.activity.task_trail import task_trail
        from curation.telling.guidelines import notices as guidelines
        from curation.telling.guidelines.announcement_actions import tell_due_announcements
        from curation.telling.questions import notices as questions
        from curation.telling.search import case_folding, search
        from curation.telling.search.queries import SOURCES

        register_permissions(permissions.PERMISSIONS)
        text_basis.register(*dependents.ROWS)
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
        sources.register(*sources.SOURCES)
        in_hand.register(returned, rubrics, places)
        notify.register(*notice_kinds.KINDS)
        notify.register(*amendments.KINDS)
        notify.register(*deadlines.KINDS)
        for noun in (questions, guidelines):
            notify.register(*noun.KINDS)
        notify.register(*honoraria.KINDS)
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
        people.register(referred_by_name)
        people.register(referred_by_link)
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
        periodic_jobs.register(sources.collect_finished_work)
        periodic_jobs.register(attachments.clean_removed)
        periodic_jobs.register(reminders.remind_people, phase=periodic_jobs.Phase.REMIND)
        periodic_jobs.register(
            email_digest.send_due, mailing.send_waiting, phase=periodic_jobs.Phase.SEND
        )

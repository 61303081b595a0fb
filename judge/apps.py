from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class JudgeConfig(AppConfig):
    name = "judge"
    verbose_name = _("Judging")

    def ready(self) -> None:
        from curation.access import permissions
        from curation.activity import audit, trail
        from curation.answer_forms import demands
        from curation.data_copies import parts as data_copies
        from curation.deadlines import in_hand
        from curation.experts import record
        from curation.honoraria import sources
        from curation.lists.bulk import register_steps
        from curation.notices import notify
        from curation.pipeline import bottlenecks
        from curation.process import periodic_jobs
        from curation.programme_settings import declared as programme_settings
        from curation.search import search
        from curation.skills import readings
        from curation.tasks import finished_work, held_work, text_basis
        from curation.tasks.models import AnswerForm
        from judge import dependents, model_uses, notices, providers
        from judge.anchors import receivers as anchor_receivers
        from judge.assignments import bulk_steps as of_sheets
        from judge.assignments.handover import hand_over_unqualified_holders
        from judge.assignments.held_work import held
        from judge.assignments.in_hand import sheets
        from judge.candidates.steering_sweep import look_for_steering
        from judge.data_copy import PARTS
        from judge.drift.pausing import pause_drifting_scorers
        from judge.endpoints.programme import served_purposes
        from judge.endpoints.source import EndpointSource
        from judge.errata import receivers as erratum_receivers
        from judge.finished_work import SOURCES as FINISHED
        from judge.graded_sheets import notices as graded_sheet_notices
        from judge.imports import notices as import_notices
        from judge.imports.work import forget_uploads
        from judge.jobs import files, receivers, waiting_rows
        from judge.known_sheets import opening as known_sheets
        from judge.line_reviews.generate import ModelOpinionService
        from judge.methods import registry
        from judge.methods.list_match import demand as list_demand
        from judge.open_board import bulk_steps as of_open_board
        from judge.overrules import receivers as overrule_receivers
        from judge.paid_work import SOURCES as PAID
        from judge.permissions import PERMISSIONS
        from judge.practice import actions as practice
        from judge.practice import notices as practice_notices
        from judge.profiles import demand as selection_demand
        from judge.prompts import answer_notes
        from judge.queue import actions as queue_actions
        from judge.queue import failing
        from judge.queue.send import READ, RUN
        from judge.record import facts
        from judge.registry import bulk_steps as of_candidates
        from judge.runs import bulk_steps as of_runs
        from judge.runs.actions import start_again
        from judge.runs.lifecycle import continue_waited
        from judge.search_sources import SOURCES
        from judge.settings_sources import SOURCES as SETTINGS
        from judge.skill_labels.queries import unfinished
        from judge.trail import AUDIT_SOURCES, judge_trail
        from rubrics.marks import model_opinions

        permissions.register(PERMISSIONS)
        answer_notes.register(registry.answer_notes)
        demands.register(AnswerForm.LIST, list_demand.STORE)
        demands.register(AnswerForm.SELECTION, selection_demand.STORE)
        bottlenecks.register_models(served_purposes)
        providers.register_source(EndpointSource())
        text_basis.register(dependents.ROWS)
        receivers.connect()
        anchor_receivers.connect()
        erratum_receivers.connect()
        overrule_receivers.connect()
        practice.connect()
        known_sheets.connect()
        held_work.register(held)
        in_hand.register(sheets)
        finished_work.register(*FINISHED)
        sources.register(*PAID)
        notify.register(notices.KINDS)
        notify.register(graded_sheet_notices.KINDS)
        notify.register(import_notices.KINDS)
        notify.register(practice_notices.KINDS)
        notices.connect()
        periodic_jobs.register(
            hand_over_unqualified_holders,
            notices.remind_scorers,
            graded_sheet_notices.remind_graders,
            pause_drifting_scorers,
            look_for_steering,
            forget_uploads,
            continue_waited,
        )
        record.register(facts)
        data_copies.register(*PARTS)
        readings.register(unfinished)
        model_opinions.register(ModelOpinionService())
        trail.register(judge_trail)
        audit.register(*AUDIT_SOURCES)
        search.register(*SOURCES)
        programme_settings.register(*SETTINGS)
        register_steps("tasks", *of_runs.TASK_STEPS)
        register_steps("candidates", *of_open_board.STEPS, *of_candidates.STEPS)
        register_steps("candidates", *of_runs.CANDIDATE_STEPS)
        register_steps("sheets", *of_sheets.SHEET_STEPS)
        register_steps("graded-sheets", *of_sheets.GRADED_SHEET_STEPS)
        model_uses.register()
        failing.register(waiting_rows.KINDS)
        queue_actions.register(RUN, start_again)
        queue_actions.register(READ, files.try_again)
        if settings.CELERY_BROKER_URL:
            from judge.jobs import jobs  # noqa: F401  registers the jobs for `send`

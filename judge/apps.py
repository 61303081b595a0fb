from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class JudgeConfig(AppConfig):
    name = "judge"
    verbose_name = _("Judging")

    def ready(self) -> None:
        from curation.base.access import permissions
        from curation.base.lists.bulk import register_steps
        from curation.base.process import periodic_jobs
        from curation.joining.notices import notify
        from curation.leaving.data_copies import parts as data_copies
        from curation.qualifying.experts import record
        from curation.staff.honoraria import sources
        from curation.staff.pipeline import bottlenecks
        from curation.staff.pipeline import deadline_in_hand as in_hand
        from curation.staff.programme_settings import declared as programme_settings
        from curation.tasks.skills import readings
        from curation.tasks.task import demands, finished_work, holding, text_basis
        from curation.tasks.task.models import AnswerForm
        from curation.telling.activity import audit, trail
        from curation.telling.search import search
        from judge import dependents, model_uses, notices
        from judge.asking import providers
        from judge.asking.candidates.steering_sweep import look_for_steering
        from judge.asking.endpoints.models import EndpointSource
        from judge.asking.endpoints.programme import served_purposes
        from judge.asking.prompts import task_text
        from judge.base.queue import actions as queue_actions
        from judge.base.queue import failing
        from judge.base.queue.send import READ, RUN
        from judge.data_copy import PARTS
        from judge.finished_work import SOURCES as FINISHED
        from judge.gold.releases import errata as erratum_receivers
        from judge.gold.transfer import import_notices as import_notices
        from judge.gold.transfer.import_work import forget_uploads
        from judge.jobs import files, receivers, waiting_rows
        from judge.methods.base import registry
        from judge.methods.list_match import facts as list_demand
        from judge.methods.profiles import demand as selection_demand
        from judge.paid_work import SOURCES as PAID
        from judge.permissions import PERMISSIONS
        from judge.record import facts
        from judge.results.flags import overrule_receivers as overrule_receivers
        from judge.results.leaderboard import open_board_bulk_steps as of_open_board
        from judge.results.registry import bulk_steps as of_candidates
        from judge.runs.pages import bulk_steps as of_runs
        from judge.runs.pages.actions import start_again
        from judge.runs.pages.lifecycle import continue_waited
        from judge.scoring.anchors import receivers as anchor_receivers
        from judge.scoring.assignments import bulk_steps as of_sheets
        from judge.scoring.assignments.handover import hand_over_unqualified_holders
        from judge.scoring.assignments.held import held, sheets
        from judge.scoring.graded_sheets import notices as graded_sheet_notices
        from judge.scoring.practice import actions as practice
        from judge.scoring.practice import known_opening as known_sheets
        from judge.scoring.practice import notices as practice_notices
        from judge.scoring.practice.drift_pausing import pause_drifting_scorers
        from judge.search_sources import SOURCES
        from judge.settings_sources import SOURCES as SETTINGS
        from judge.suggesting.line_reviews import ModelOpinionService
        from judge.suggesting.skill_labels.models import unfinished
        from judge.trail import AUDIT_SOURCES, judge_trail
        from rubrics.marks import model_opinions

        permissions.register(PERMISSIONS)
        task_text.register(registry.answer_notes)
        demands.register(AnswerForm.LIST, list_demand.STORE)
        demands.register(AnswerForm.SELECTION, selection_demand.STORE)
        bottlenecks.register_models(served_purposes)
        providers.register_source(EndpointSource())
        text_basis.register(*dependents.ROWS)
        receivers.connect()
        anchor_receivers.connect()
        erratum_receivers.connect()
        overrule_receivers.connect()
        practice.connect()
        known_sheets.connect()
        holding.register(held)
        in_hand.register(sheets)
        finished_work.register(*FINISHED)
        sources.register(*PAID)
        notify.register(*notices.KINDS)
        notify.register(*graded_sheet_notices.KINDS)
        notify.register(*import_notices.KINDS)
        notify.register(*practice_notices.KINDS)
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

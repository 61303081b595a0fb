from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class JudgeConfig(AppConfig):
    name = "judge"
    verbose_name = _("Judging")

    def ready(self) -> None:
        from curation.access import permissions
        from curation.activity import trail
        from curation.answer_forms import demands
        from curation.data_copies import parts as data_copies
        from curation.experts import record
        from curation.notices import notify
        from curation.pipeline import bottlenecks
        from curation.process import periodic_jobs
        from curation.search import search
        from curation.tasks import finished_work, held_work, text_basis
        from curation.tasks.models import AnswerForm
        from judge import dependents, model_uses, notices, providers
        from judge.anchors import receivers as anchor_receivers
        from judge.assignments.handover import hand_over_unqualified_holders
        from judge.assignments.held_work import held
        from judge.candidates.steering_sweep import look_for_steering
        from judge.data_copy import PARTS
        from judge.endpoints.programme import served_purposes
        from judge.endpoints.source import EndpointSource
        from judge.errata import receivers as erratum_receivers
        from judge.finished_work import SOURCES as FINISHED
        from judge.graded_sheets import notices as graded_sheet_notices
        from judge.jobs import receivers
        from judge.line_reviews.generate import ModelOpinionService
        from judge.methods import registry
        from judge.methods.list_match import demand as list_demand
        from judge.permissions import PERMISSIONS
        from judge.profiles import demand as selection_demand
        from judge.prompts import answer_notes
        from judge.record import facts
        from judge.search_sources import SOURCES
        from judge.trail import judge_trail
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
        held_work.register(held)
        finished_work.register(*FINISHED)
        notify.register(notices.KINDS)
        notify.register(graded_sheet_notices.KINDS)
        notices.connect()
        periodic_jobs.register(
            hand_over_unqualified_holders,
            notices.remind_scorers,
            graded_sheet_notices.remind_graders,
            look_for_steering,
        )
        record.register(facts)
        data_copies.register(*PARTS)
        model_opinions.register(ModelOpinionService())
        trail.register(judge_trail)
        search.register(*SOURCES)
        model_uses.register()
        if settings.CELERY_BROKER_URL:
            from judge.jobs import jobs  # noqa: F401  registers the jobs for `send`

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class JudgeConfig(AppConfig):
    name = "judge"
    verbose_name = _("Judging")

    def ready(self) -> None:
        from curation.access import permissions as access
        from curation.activity import trail
        from curation.experts import record as people
        from curation.notices import notify
        from curation.process import periodic_tasks
        from curation.search import search
        from curation.tasks import held_work
        from judge import model_uses, notices, permissions, record
        from judge.acts import judge_acts
        from judge.anchors import receivers as anchors
        from judge.assignments.handover import hand_over_what_is_held_without_standing
        from judge.assignments.held_work import held
        from judge.candidates.steering_sweep import look_for_steering
        from judge.jobs import receivers
        from judge.line_reviews.generate import Desk
        from judge.search_sources import SOURCES
        from rubrics.marks import model_opinions

        access.register(permissions.PERMISSIONS)
        receivers.connect()
        anchors.connect()
        held_work.register(held)
        notify.register(notices.KINDS)
        notices.connect()
        periodic_tasks.register(
            hand_over_what_is_held_without_standing, notices.remind_scorers, look_for_steering
        )
        people.register(record.facts)
        model_opinions.register(Desk())
        trail.register(judge_acts)
        search.register(*SOURCES)
        model_uses.register()
        if settings.CELERY_BROKER_URL:
            from judge.jobs import jobs  # noqa: F401  names what can be sent

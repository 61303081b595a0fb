from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JudgeConfig(AppConfig):
    name = "judge"
    verbose_name = _("Judging")

    def ready(self) -> None:
        from curation import access, chores, holding, search, standing, trail
        from curation import notices as registry
        from judge import notices, permissions, receivers
        from judge.actions.handing_over import hand_over_what_is_held_without_standing
        from judge.acts import judge_acts
        from judge.marking import look_for_steering
        from judge.opinions import Desk
        from judge.queries.finding import SOURCES
        from judge.queries.holding import held
        from judge.queries.standing import facts
        from rubrics import opinions

        access.register(permissions.PERMISSIONS, permissions.ROUTES)
        receivers.connect()
        holding.register(held)
        registry.register(notices.KINDS)
        notices.connect()
        chores.register(
            hand_over_what_is_held_without_standing, notices.remind_scorers, look_for_steering
        )
        standing.register(facts)
        opinions.register(Desk())
        trail.register(judge_acts)
        search.register(*SOURCES)

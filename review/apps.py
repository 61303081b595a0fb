from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = _("Review")

    def ready(self) -> None:
        from curation import access, chores, conflicts, holding, search, standing, trail
        from curation import notices as registry
        from curation.queries import audit
        from review import notices, permissions, queries, receivers
        from review.actions.expiry import expire_overdue
        from review.actions.handing_over import replace_everybody_who_left
        from review.actions.rounds import answer_request
        from review.acts import LEDGERS, review_acts
        from review.conflicts import declared_with
        from review.models import steps
        from review.queries.finding import SOURCES
        from review.queries.holding import held, reviewed
        from review.queries.standing import facts
        from rubrics import threads

        access.register(permissions.PERMISSIONS, permissions.ROUTES)
        receivers.connect()
        steps.connect()
        registry.register(notices.KINDS)
        notices.connect()
        chores.register(replace_everybody_who_left, expire_overdue, notices.remind_reviewers)
        standing.register(facts)
        trail.register(review_acts)
        audit.register(*LEDGERS)
        conflicts.register(declared_with)
        holding.register(held)
        holding.register_reviewed(reviewed())
        search.register(*SOURCES)
        threads.register(queries.AuthorReader(), answer_request)

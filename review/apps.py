from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = _("Review")

    def ready(self) -> None:
        from curation.base.access import permissions as access
        from curation.base.lists.bulk import register_steps
        from curation.base.process import periodic_jobs
        from curation.joining import people
        from curation.joining.notices import notify
        from curation.leaving.data_copies import parts as data_copies
        from curation.qualifying.experts import record
        from curation.staff.honoraria import sources
        from curation.staff.pipeline import deadline_in_hand as in_hand
        from curation.staff.programme_settings import declared as programme_settings
        from curation.tasks.task import finished_work, holding, text_basis
        from curation.telling.activity import audit, trail
        from curation.telling.search import search
        from review import dependents, notices, permissions, receivers
        from review.conflicts.actions import match_declarations
        from review.conflicts.sources import declared_with
        from review.data_copy import PARTS
        from review.finished_work import SOURCES as FINISHED
        from review.paid_work import SOURCES as PAID
        from review.policy.settings_source import SOURCES as SETTINGS
        from review.rounds import verdict_steps
        from review.rounds.actions import answer_request
        from review.rounds.author_queries import AuthorReader
        from review.rounds.expiry import expire_overdue
        from review.search_sources import SOURCES
        from review.staff import bulk_steps
        from review.staff.handover import replace_all_unqualified_reviewers
        from review.staff.held import held, reviewed, rounds, seats
        from review.staff.record import facts
        from review.trail import AUDIT_SOURCES, review_trail
        from rubrics.lines import threads

        access.register(permissions.PERMISSIONS)
        text_basis.register(dependents.ROWS)
        receivers.connect()
        verdict_steps.connect()
        notify.register(notices.KINDS)
        notices.connect()
        periodic_jobs.register(
            replace_all_unqualified_reviewers,
            expire_overdue,
            notices.remind_reviewers,
            match_declarations,
        )
        record.register(facts)
        data_copies.register(*PARTS)
        trail.register(review_trail)
        audit.register(*AUDIT_SOURCES)
        people.register(declared_with)
        holding.register(held)
        in_hand.register(rounds, seats)
        register_steps("tasks", *bulk_steps.STEPS)
        finished_work.register(*FINISHED)
        sources.register(*PAID)
        holding.register_reviewed(reviewed())
        search.register(*SOURCES)
        programme_settings.register(*SETTINGS)
        threads.register(AuthorReader(), answer_request)

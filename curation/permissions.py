"""Curation's rows of the table of permissions."""

from curation.base.access.duties import Duty
from curation.base.access.permissions import (
    OF_DUTIES,
    Permission,
    anyone,
    has_duty,
    is_its_owner,
    is_qualified_in_its_domain,
    is_qualified_somewhere,
    is_senior_in_its_domain,
    is_senior_somewhere,
    is_staff,
    register,
    signed_in,
)
from curation.leaving.closed_accounts.queries import is_the_person
from curation.qualifying.applications.queries import has_no_conflict_with_the_applicant
from curation.screening.panels.voting_queries import checks_the_task, has_no_unopened_place_on_it
from curation.screening.solving.queries import is_asked_to_look_again, solves_the_task
from curation.staff.honoraria.access import did_not_write_its_task_or_rubric, is_not_its_payee
from curation.tasks.amendments.queries import (
    decided_it,
    did_not_propose_it,
    did_not_write_its_task,
    has_no_conflict_with_its_author,
    has_no_other_seat_on_its_task,
    is_in_force,
    may_read_its_task,
    proposed_it,
    wrote_its_task,
)
from curation.tasks.business.queries import did_not_do_it
from curation.tasks.business.reverification_access import (
    did_not_write_the_task,
    may_take_it,
    took_it,
    verifies_it_again,
)
from curation.tasks.skills.access import labels_as_a_senior
from curation.tasks.task.queries import (
    holds_seat,
    is_its_author,
    is_not_a_draft,
    is_not_its_author,
    may_view_the_task,
    writes_it_for_its_owner,
    writes_its_rubric,
)
from curation.telling.guidelines.announcements import is_addressed
from curation.telling.guidelines.queries import is_for_everybody
from curation.telling.questions.queries import (
    answers_as_a_senior,
    asked_it,
    did_not_ask_it,
    has_no_blind_seat,
    may_still_ask_about_it,
    works_in_it,
)

RECRUITS, EDITS = has_duty(Duty.RECRUITING), has_duty(Duty.EDITING)
ADMINISTERS = has_duty(Duty.ADMINISTRATION)
MAY_DECIDE_THE_AMENDMENT = [
    is_senior_in_its_domain,
    did_not_propose_it,
    did_not_write_its_task,
    has_no_other_seat_on_its_task,
    has_no_conflict_with_its_author,
]
MAY_ANSWER_THE_QUESTION: Permission = [
    [EDITS, did_not_ask_it, has_no_blind_seat],
    [answers_as_a_senior, did_not_ask_it, has_no_blind_seat],
]
PERMISSIONS: dict[str, Permission] = {
    "open": [[anyone]],
    "signed_in": [[signed_in]],
    # Staff read every page of theirs; each change asks for its duty: `staff.recruiting` …
    "staff": [[is_staff]],
    **OF_DUTIES,
    "expert": [[is_qualified_somewhere]],
    "senior": [[is_senior_somewhere]],
    "senior_or_staff": [[is_senior_somewhere], [is_staff]],
    "senior_or_editing": [[is_senior_somewhere], [EDITS]],
    "token.end": [[is_its_owner], [ADMINISTERS]],
    "view.remove": [[is_its_owner]],
    "account.close": [[is_the_person], [ADMINISTERS]],
    "payee.set": [[is_the_person], [ADMINISTERS]],
    # Nobody decides on their own work, nor learns who worked on a task that they wrote.
    "honorarium.decide": [[ADMINISTERS, is_not_its_payee, did_not_write_its_task_or_rubric]],
    # applications
    "application.work_on": [[is_its_owner]],
    "application.oversee": [[is_staff]],
    "application.decide": [[RECRUITS]],
    "exam.oversee": [[is_staff]],
    "exam.administer": [[RECRUITS]],
    "exam.mark": [[is_senior_in_its_domain]],
    "trial.decide": [[is_senior_in_its_domain, has_no_conflict_with_the_applicant]],
    # tasks
    "task.view": [
        [is_its_author],
        [is_staff],
        [holds_seat("screener"), is_not_a_draft, has_no_unopened_place_on_it],
        [holds_seat("reviewer")],
        [holds_seat("decider")],
        [holds_seat("spot_checker")],
        [holds_seat("scorer")],
        [holds_seat("meta_evaluator")],
        [holds_seat("adjudicator")],
        [holds_seat("amendment_decider")],
        [holds_seat("rubric_author")],
        [holds_seat("verifier")],
        [holds_seat("adviser")],
    ],
    # A collected task has no author: staff write it until it enters screening, without their names.
    "task.write": [[is_its_author], [writes_it_for_its_owner]],
    # A second person confirms that nothing tells whose case a collected task was.
    "deidentification.confirm": [[EDITS, did_not_do_it]],
    # Labels of the skills library: staff, or a senior without a part in the task.
    "task.labels": [[is_staff], [labels_as_a_senior]],
    "task.label": [[EDITS], [labels_as_a_senior]],
    # The text after screening changes by an amendment, which a senior agrees to.
    "task.amend": [
        [is_its_author],
        [writes_its_rubric],
        [EDITS, is_not_its_author],
        [verifies_it_again],
    ],
    # Whether a dynamic answer still holds: an expert of the domain who did not write it.
    "reverification.view": [[is_staff], [took_it], [may_take_it]],
    "reverification.take": [[may_take_it]],
    "reverification.answer": [[took_it]],
    "reverification.administer": [[EDITS, did_not_write_the_task]],
    "amendment.view": [
        [proposed_it],
        [wrote_its_task],
        [is_staff, did_not_write_its_task],
        [decided_it],
        [is_in_force, may_read_its_task],
        MAY_DECIDE_THE_AMENDMENT,
    ],
    "amendment.decide": [MAY_DECIDE_THE_AMENDMENT],
    "amendment.withdraw": [[proposed_it]],
    # The author sees no names of others; staff who did not write the task do.
    "task.story": [[is_its_author], [is_staff]],
    "task.screen": [[holds_seat("screener")]],
    # Checkers have a page of their own: they must not see the reference answer at first.
    "task.check": [[holds_seat("checker")]],
    # Solvers too: they see answer and steps after their own answer.
    "task.solve": [[holds_seat("solver")]],
    "look.answer": [[is_asked_to_look_again]],
    # Questions: whoever has the task in hand asks; checkers and solvers from pages of their own.
    "task.ask": [[may_view_the_task], [checks_the_task], [solves_the_task]],
    "domain.ask": [[works_in_it]],
    "question.view": [
        [asked_it],
        [is_staff, did_not_ask_it, has_no_blind_seat],
        *MAY_ANSWER_THE_QUESTION,
    ],
    "question.follow_up": [[asked_it, may_still_ask_about_it]],
    "question.settle": [[asked_it]],
    "question.answer": MAY_ANSWER_THE_QUESTION,
    "faq.view": [[works_in_it], [is_staff]],
    "guideline.view": [[is_for_everybody], [is_qualified_in_its_domain], [is_staff]],
    "announcement.view": [[is_addressed], [is_staff]],
    # These pages name the panel and its votes, so staff who wrote the task are excluded.
    "task.oversee": [[is_staff, is_not_its_author]],
    "task.administer": [[EDITS, is_not_its_author]],
    "task.remind": [[EDITS, is_not_its_author], [has_duty(Duty.SCORING), is_not_its_author]],
}

register(PERMISSIONS)

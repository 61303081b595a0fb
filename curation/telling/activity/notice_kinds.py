"""The notices of curation and their words: applications, prompts, panels, the daily summary."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from curation.joining.notices.notify import Kind, Topic

_APPLICATION = _("Open the application")
_TASK = _("Open the task")

QUALIFICATION = (
    Kind(
        "application_admitted",
        Topic.QUALIFICATION,
        _("You can sit the exam in %(domain)s"),
        _("The staff admitted you. You choose when the exam begins; the clock starts only then."),
        _APPLICATION,
    ),
    Kind(
        "application_rejected",
        Topic.QUALIFICATION,
        _("Your application for %(domain)s was rejected"),
        _("The application is closed. The staff wrote why."),
        _APPLICATION,
    ),
    Kind(
        "application_reopened",
        Topic.QUALIFICATION,
        _("Your application for %(domain)s is open again"),
        _("The staff took the decision back and wrote why. It goes on where it had stopped."),
        _APPLICATION,
    ),
    Kind(
        "exam_passed",
        Topic.QUALIFICATION,
        _("You passed the exam in %(domain)s"),
        _("Next comes the training: short units with exercises, at your own pace."),
        _APPLICATION,
    ),
    Kind(
        "exam_not_passed",
        Topic.QUALIFICATION,
        _("Your exam result in %(domain)s is ready"),
        _(
            "You did not pass this time, but you have another attempt. The result says what to "
            "study before it."
        ),
        _("See the result"),
    ),
    Kind(
        "exam_closed",
        Topic.QUALIFICATION,
        _("You did not pass the exam in %(domain)s"),
        _("You have used all attempts, so the application is closed. Its page keeps your results."),
        _APPLICATION,
    ),
    Kind(
        "attempt_open",
        Topic.QUALIFICATION,
        _("You can sit the exam in %(domain)s again"),
        _("The waiting time is over. You choose when the next attempt begins."),
        _APPLICATION,
    ),
    Kind(
        "training_changed",
        Topic.QUALIFICATION,
        _("The training has changed"),
        _(
            "Take the units that changed before you start your next task. What you wrote stays as "
            "it is."
        ),
        _("See what changed"),
    ),
    Kind(
        "answers_waiting",
        Topic.QUALIFICATION,
        _("Exam answers in %(domain)s are waiting for a senior"),
        _("A candidate handed in short texts. You read them without seeing a name."),
        _("Open the answers to mark"),
    ),
    Kind(
        "answers_overdue",
        Topic.QUALIFICATION,
        _("Exam answers in %(domain)s are overdue for marking"),
        _(
            "A candidate is still waiting for a result that is overdue. Please mark the answers "
            "now."
        ),
        _("Open the answers to mark"),
    ),
    Kind(
        "trial_waiting",
        Topic.QUALIFICATION,
        _("A trial task in %(domain)s is waiting for a senior"),
        _("An applicant handed it in. Any senior of the domain may decide on it."),
        _("Read the trial task"),
    ),
    Kind(
        "trial_returned",
        Topic.QUALIFICATION,
        _("Your trial task in %(domain)s was returned with remarks"),
        _("Your text is kept. Change what the senior asks for and hand in the next version."),
        _("Open the trial task"),
    ),
    Kind(
        "trial_accepted",
        Topic.QUALIFICATION,
        _("You are qualified in %(domain)s"),
        _("A senior accepted your trial task. You can write prompts now."),
        _APPLICATION,
    ),
    Kind(
        "trial_rejected",
        Topic.QUALIFICATION,
        _("Your trial task in %(domain)s was not accepted"),
        _("The application is closed. Its page holds the senior's reasons."),
        _APPLICATION,
    ),
    Kind(
        "suspended",
        Topic.QUALIFICATION,
        _("Your qualification in %(domain)s is suspended"),
        _("The staff wrote why. Nothing you made is deleted; open work has gone to colleagues."),
        _APPLICATION,
    ),
    Kind(
        "reinstated",
        Topic.QUALIFICATION,
        _("Your qualification in %(domain)s is active again"),
        _("You can go on with your work."),
        _APPLICATION,
    ),
    Kind(
        "senior_made",
        Topic.QUALIFICATION,
        _("You are a senior of %(domain)s now"),
        _("Trial tasks, spot checks and the checks of anchors come to you from now on."),
        _("See the trial tasks"),
    ),
    Kind(
        "senior_ended",
        Topic.QUALIFICATION,
        _("You are no longer a senior of %(domain)s"),
        _("Your qualification as an expert stays as it is."),
        _("Open Home"),
    ),
)

TASKS = (
    Kind(
        "task_returned",
        Topic.TASKS,
        _("The panel returned “%(task)s”"),
        _("Its reasons are beside your draft. Change it and submit it again; it keeps its slot."),
        _TASK,
    ),
    Kind(
        "task_rejected",
        Topic.TASKS,
        _("The panel did not keep “%(task)s”"),
        _("Its reasons are on the task's page. The task is closed, and its slot stays used."),
        _TASK,
    ),
    Kind(
        "task_kept",
        Topic.TASKS,
        _("The panel keeps “%(task)s”"),
        _("Next, a first rubric is drafted for you. You will be told when it is ready."),
        _TASK,
    ),
    Kind(
        "rubric_ready",
        Topic.TASKS,
        ngettext_lazy(
            "A first rubric for “%(task)s” is ready: %(n)s line",
            "A first rubric for “%(task)s” is ready: %(n)s lines",
            "n",
        ),
        _("A model drafted it. Refine it line by line, then send it to review."),
        _("Open the rubric"),
    ),
    Kind(
        "rubric_by_rules",
        Topic.TASKS,
        ngettext_lazy(
            "A first rubric for “%(task)s” is ready: %(n)s line",
            "A first rubric for “%(task)s” is ready: %(n)s lines",
            "n",
        ),
        _("It was cut from your reference answer by rule, without a model. Expect more to change."),
        _("Open the rubric"),
    ),
    Kind(
        "rubric_empty",
        Topic.TASKS,
        _("The rubric for “%(task)s” is waiting for your first line"),
        _("No draft could be made. You can start from an empty rubric at once."),
        _("Open the rubric"),
    ),
    Kind(
        "task_discarded",
        Topic.TASKS,
        _("“%(task)s” was taken out of the benchmark"),
        _("The reasons are on its page. Your text and its history stay."),
        _TASK,
    ),
    Kind(
        "task_taken_back",
        Topic.TASKS,
        _("“%(task)s” is open again"),
        _("Staff took the decision back and wrote why. Its page says what happens next."),
        _TASK,
    ),
    Kind(
        "slot_granted",
        Topic.TASKS,
        _("You can submit one more prompt"),
        _("The staff granted you another slot."),
        _("See my tasks"),
    ),
)

SCREENING = (
    Kind(
        "panel_place_given",
        Topic.SCREENING,
        _("You are on the panel of a prompt in %(domain)s"),
        _("Please vote on “%(task)s” by %(due)s, or hand the place back with a reason."),
        _("Read the prompt"),
    ),
    Kind(
        "panel_place_due",
        Topic.SCREENING,
        _("Your vote on “%(task)s” is due on %(due)s"),
        _("After that the place is free for a colleague. You can also hand it back with a reason."),
        _("Read the prompt"),
    ),
    Kind(
        "panel_place_expired",
        Topic.SCREENING,
        _("Your place on the panel of “%(task)s” has ended"),
        _("It has expired. There is nothing left for you to do on it."),
        _("Open Screening"),
    ),
    Kind(
        "reference_check_given",
        Topic.SCREENING,
        _("Please check a reference answer in %(domain)s"),
        _("Solve “%(task)s” yourself by %(due)s; its reference answer is shown after that."),
        _("Begin the check"),
    ),
    Kind(
        "reference_check_due",
        Topic.SCREENING,
        _("Your check of a reference answer is due on %(due)s"),
        _("The task is “%(task)s”. After that date the check is free for a colleague."),
        _("Open the check"),
    ),
    Kind(
        "solve_given",
        Topic.SCREENING,
        _("Please solve a question in %(domain)s"),
        _(
            "Answer “%(task)s” by %(due)s, without the author's answer and steps; you see them "
            "afterwards. Your time counts from opening it."
        ),
        _("Open the question"),
    ),
    Kind(
        "solve_due",
        Topic.SCREENING,
        _("Your answer to a question is due on %(due)s"),
        _("The question is “%(task)s”. After that date it is free for a colleague."),
        _("Open the question"),
    ),
)

SECOND_LOOKS = (
    Kind(
        "second_look_asked",
        Topic.SCREENING,
        _("Please look at an exact answer again, in %(domain)s"),
        _("Models answered “%(task)s” in a way that makes its answer doubtful. Say what you find."),
        _("Open the second look"),
    ),
)

PROGRAMME = (
    Kind(
        "solvers_disagree",
        Topic.PROGRAMME,
        _("Solvers did not confirm an answer in %(domain)s"),
        _("“%(task)s” is back with its author. The task's panel page has what the solvers wrote."),
        _("Open the panel"),
    ),
    Kind(
        "applications_waiting",
        Topic.PROGRAMME,
        ngettext_lazy(
            "%(n)s application is waiting for the staff",
            "%(n)s applications are waiting for the staff",
            "n",
        ),
        _("The applicants can do nothing until somebody decides."),
        _("Open the applications"),
    ),
    Kind(
        "marks_overdue",
        Topic.PROGRAMME,
        _("An exam in %(domain)s was not marked in time"),
        _(
            "Its seniors have been reminded. If none of them may mark it, make another expert "
            "in the domain a senior."
        ),
        _("Open the application"),
    ),
    Kind(
        "held_up",
        Topic.PROGRAMME,
        ngettext_lazy("%(n)s task is held up", "%(n)s tasks are held up", "n"),
        _(
            "They have no reviewer, have not moved for more than 14 days, or are waiting for the "
            "machine."
        ),
        _("Open the pipeline"),
    ),
)

KINDS = (*QUALIFICATION, *TASKS, *SCREENING, *SECOND_LOOKS, *PROGRAMME)

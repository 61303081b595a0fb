"""What of curation leads to a task, and how it rests on the task's text."""

from django.utils.translation import gettext_lazy as _

from curation.tasks.task.text_basis import independent, records

ROWS = [
    *records(_("It is written when something happens, and never changed."), "curation.TaskEvent"),
    *records(_("It keeps the texts themselves."), "curation.TextVersion", "curation.Amendment"),
    *records(
        _("The panel judged the text of its time; a senior judges the amendment."),
        "curation.Screening",
        "curation.PanelPlace",
        "curation.ScreeningVote",
        "curation.ReferenceCheck",
        "curation.Solve",
        "curation.SecondLook",
        "curation.SecondOpinion",
    ),
    *records(
        _("It is computed again when the prompt is amended."),
        "curation.Fingerprint",
        "curation.FingerprintMark",
    ),
    *independent(_("It says who holds a role or a slot."), "curation.Seat", "curation.Slot"),
    *independent(_("Files are no part of an amendment."), "curation.Attachment"),
    *independent(_("It leads to a file, which may belong to a task."), "curation.Certification"),
    *independent(_("It says who looked a certificate up."), "curation.CertificateCheck"),
    *independent(
        _("It is the text itself."),
        "curation.Task",
        "curation.ExactAnswer",
        "curation.SolutionStep",
    ),
    *records(
        _("Two people went through the text of its time; screening came afterwards."),
        "curation.Deidentification",
    ),
    *records(
        _("Labels say what the task asks for; the person who amends the text looks at them."),
        "curation.LabelOnTask",
        "curation.ProposalRound",
        "curation.LabelProposal",
    ),
    *independent(
        _("It belongs to the skills library, whose texts are no part of an amendment."),
        "curation.SkillLabel",
        "curation.SkillChange",
        "curation.EffortEntry",
    ),
    *records(
        _("Work on the text of its time stays done, and is paid."),
        "curation.Honorarium",
        "curation.HonorariumStep",
    ),
    *records(
        _("It keeps what somebody asked of the text of its time, and the answer."),
        "curation.AskedQuestion",
        "curation.QuestionEntry",
        "curation.SharedAnswer",
    ),
    *records(
        _("It says of which version of the text an expert confirmed the answer."),
        "curation.Reverification",
    ),
]

"""Guidelines, an announcement and questions of the sample programme."""

from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from config.sample import read_file
from config.sample.tasks import People
from curation.joining.domains.models import Domain
from curation.joining.notices.models import Notice
from curation.joining.people import User
from curation.tasks.task.models import Task
from curation.telling.guidelines.actions import note_reading, publish_guideline
from curation.telling.guidelines.announcement_actions import announce
from curation.telling.guidelines.announcements import Announcement, AnnouncementWording
from curation.telling.guidelines.models import Guideline, GuidelineVersion
from curation.telling.guidelines.queries import guideline_named, readers_of
from curation.telling.questions.actions import (
    answer_question,
    ask_about_rule,
    ask_about_task,
    correct_answer,
    settle_question,
)
from curation.telling.questions.models import AskedQuestion, QuestionEntry, SharedAnswer
from curation.telling.questions.sharing_actions import share_answer
from curation.telling.questions.subjects import lines_for

BEFORE, LATELY = timedelta(days=40), timedelta(days=6)  # the two versions of a guideline
ANNOUNCED = timedelta(days=2)
NEWS = timedelta(days=3)  # older notices are marked read
NOT_YET = {"finance": {"author", "scorer"}, "programme": {"expert.law"}}  # who read version 1 only


def load_talk(people: People) -> None:
    """Publish guidelines, announce, ask and answer. Needs the tasks."""
    said = read_file("talk.json")
    newest = max(Notice.objects.values_list("pk", flat=True), default=0)
    for key, rules in said["guidelines"].items():
        _publish(people["staff"], key, rules)
    _announce(people["staff"], said["announcement"])
    for row in said["questions"]:
        _ask(people, row)
    _date_notices(newest)


def _publish(staff: Any, key: str, said: dict[str, Any]) -> None:
    rules = dict(said["rules"])
    for text, words in ((rules, said["first"]), (rules | said["change"], said["said"])):
        found = guideline_named(key)
        publish_guideline(
            actor=staff,
            guideline=found,
            version=found.draft_version,
            text="\n\n".join(f"## {name}\n\n{rule}" for name, rule in text.items()),
            what_changed=words,
        )
    found = guideline_named(key)
    for person in readers_of(found):
        behind = person.email.split("@")[0] in NOT_YET.get(key, ())
        note_reading(actor=person, guideline=found, number=1 if behind else 2)
    for number, age in ((1, BEFORE), (2, LATELY)):
        rows = GuidelineVersion._base_manager.filter(guideline=found, number=number)
        rows.update(at=F("at") - age)
        found.readings.filter(number=number).update(at=F("at") - age + timedelta(days=1))
    Guideline.objects.filter(pk=found.pk).update(draft_at=F("draft_at") - LATELY)


def _announce(staff: Any, said: dict[str, str]) -> None:
    made = announce(
        actor=staff,
        for_everybody=False,  # it is about their deadlines
        domains=(),
        shown_from=None,
        shown_until=timezone.localdate() + timedelta(days=30),
        **said,
    )
    day = timezone.localdate() - ANNOUNCED
    Announcement.objects.filter(pk=made.pk).update(
        shown_from=day, made_at=F("made_at") - ANNOUNCED, told_at=F("told_at") - ANNOUNCED
    )
    AnnouncementWording._base_manager.filter(announcement=made).update(at=F("at") - ANNOUNCED)


def _ask(people: People, row: dict[str, Any]) -> None:
    asker = people[row["by"]]
    question = _asked(asker, row)
    if "answer" in row:
        entry = answer_question(
            actor=people[row["answer"]["by"]], question=question, text=row["answer"]["text"]
        )
        if "correction" in row:
            later = row["correction"]
            correct_answer(
                actor=people[later["by"]], question=question, entry=entry, text=later["text"]
            )
    if "shared" in row:
        share_answer(actor=people["senior"], question=question, **row["shared"])
    if row.get("settled"):
        settle_question(actor=asker, question=question)
    _date(question, timedelta(days=row["days"]))


def _asked(asker: User, row: dict[str, Any]) -> AskedQuestion:
    if "rule" in row:
        domain = Domain.objects.get(key=row["domain"])
        return ask_about_rule(actor=asker, domain=domain, rule=row["rule"], text=row["text"])
    task = Task.objects.select_related("domain").get(key=row["task"])
    lines = {line.number: line.key for line in lines_for(asker, task)}
    return ask_about_task(actor=asker, task=task, text=row["text"], line=lines.get(row["line"], ""))


def _date(question: AskedQuestion, age: timedelta) -> None:
    """Move a question into the past, and each further entry some hours after the one before."""
    rows = AskedQuestion.objects.filter(pk=question.pk)
    rows.update(at=F("at") - age, waits_since=F("waits_since") - age)
    for entry in QuestionEntry.objects.filter(question=question):
        back = age - timedelta(hours=7 * (entry.number - 1))
        QuestionEntry._base_manager.filter(pk=entry.pk).update(at=F("at") - back)
    SharedAnswer.objects.filter(question=question).update(at=F("at") - age + timedelta(days=1))


def _date_notices(newest: int) -> None:
    """Date the notices sent here like their events; all count as mailed, older ones as read."""
    versions = {f"guideline-version-{row.pk}": row.at for row in GuidelineVersion.objects.all()}
    entries = {f"question-entry-{row.pk}": row.at for row in QuestionEntry.objects.all()}
    told = {f"announcement-{row.pk}": row.told_at for row in Announcement.objects.all()}
    answers = {
        f"{kind}-{row.pk}": row.at
        for kind in ("question_answered", "question_answer_corrected")
        for row in QuestionEntry.objects.all()
    }
    shared = {f"question_shared-{row.pk}": row.at for row in SharedAnswer.objects.all()}
    times = versions | entries | told | answers | shared
    rows = list(Notice.objects.filter(pk__gt=newest))
    for notice in rows:
        notice.at = times.get(notice.once) or notice.at
        notice.mailed_at = notice.at
        if notice.at < timezone.now() - NEWS:
            notice.read_at = notice.at + timedelta(hours=5)
    Notice.objects.bulk_update(rows, ["at", "mailed_at", "read_at"])

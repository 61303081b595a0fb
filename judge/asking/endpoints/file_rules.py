"""Whether a model can read the files of a task, decided before anything is asked or paid.

The offline rules are never kept from a task: they decide by the words of lines and responses, look
at no material, and what they write is labelled as made without a model.
"""

from collections.abc import Collection, Mapping

from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from curation.base.file_contents import limits
from curation.tasks.file_views.model_files import Needs, needs_of
from curation.tasks.file_views.read_files import read_files_of
from curation.tasks.task.models import Task
from judge.asking.calls.cost import PIXELS_PER_TOKEN
from judge.asking.calls.model_client import Chosen, UnusableReplyError
from judge.asking.endpoints.queries import takes_pictures
from judge.asking.prompts.task_text import task_text
from judge.asking.providers import is_offline
from judge.asking.providers.inputs import TaskText

# Stored in English where an answer is skipped, shown in the reader's language.
IN_ENGLISH = {
    "no_pictures": gettext_noop("the task has pictures, and this model takes none"),
    "pictures_unknown": gettext_noop(
        "the task has pictures, and whether this model takes them is not entered under Models"
    ),
    "files_unread": gettext_noop("models cannot read one of the task's files"),
    "files_waiting": gettext_noop("one of the task's files has not been read yet"),
}
SKIPPED = {code: gettext_lazy(words) for code, words in IN_ENGLISH.items()}


def skipped_tasks(tasks: Collection[int], provider: str, model: str) -> Mapping[int, str]:
    """Return the tasks whose files a model cannot read, each with a code of `SKIPPED`.

    One query for each 500 tasks, and one.
    """
    if is_offline(provider):
        return {}
    needs = needs_of(tasks)
    takes = takes_pictures(provider, model) if any(n.pictures for n in needs.values()) else None
    found = {task: _why(need, takes) for task, need in needs.items()}
    return {task: code for task, code in found.items() if code}


def why_wait(skipped: Mapping[int, str]) -> str:
    """Return why models are not asked about some tasks yet; "" if they are.

    A file is read by the worker, never by a page. A run or an order that went ahead without these
    tasks would lack them for ever.

    Args:
        skipped: what `skipped_tasks` found.
    """
    waiting = list(skipped.values()).count("files_waiting")
    if not waiting:
        return ""
    return ngettext(
        "%(n)s task has a file that has not been read yet. The worker reads it without being "
        "asked: try again in a few minutes.",
        "%(n)s tasks have files that have not been read yet. The worker reads them without being "
        "asked: try again in a few minutes.",
        waiting,
    ) % {"n": waiting}


def file_tokens(tasks: Collection[int]) -> int:
    """Estimate the tokens of the files of these tasks: half a token a character, full pictures."""
    picture = limits.EDGE * limits.EDGE // PIXELS_PER_TOKEN
    return sum(
        min(need.characters, limits.TASK_CHARACTERS) // 2
        + min(need.pictures, limits.TASK_PICTURES) * picture
        for need in needs_of(tasks).values()
    )


def why_skipped(task: TaskText, provider: str, model: str) -> str:
    """Return why a model is not asked about this task, a code of `SKIPPED`; "" if it is."""
    if not task.files or is_offline(provider):
        return ""
    needs = Needs(len(task.pictures), unread=any(file.unread for file in task.files))
    return _why(needs, takes_pictures(provider, model) if needs.pictures else None)


def readable_text(task: Task, who: Chosen) -> TaskText:
    """Return the texts of a task for a model that can read its files.

    Files that nobody has read yet are read now, unless the offline rules are asked, as pages do,
    since they look at no file. Call it outside of a transaction.

    Raises:
        UnusableReplyError: it cannot read them; nothing was asked.
    """
    if not is_offline(who.provider.name):
        read_files_of([task.pk])
    text = task_text(task)
    if code := why_skipped(text, who.provider.name, who.model):
        raise UnusableReplyError(str(SKIPPED[code]))
    return text


def _why(needs: Needs, takes: bool | None) -> str:
    if needs.unread:
        return "files_unread"
    if needs.waiting:
        return "files_waiting"
    if not needs.pictures or takes:
        return ""
    return "pictures_unknown" if takes is None else "no_pictures"

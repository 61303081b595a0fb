"""Whether files that are read blind name the people they belong to, and where."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.file_contents.models import FileContent
from curation.base.text.wording import listed
from curation.tasks.attachments.holders import holder_of, people_of
from curation.tasks.attachments.naming import find_words, words_in_texts
from curation.tasks.file_views.queries import part_title

_MOST_PLACES = 5  # named in a sentence
_PLACES = {
    "headers": gettext_lazy("headers and footers"),
    "comments": gettext_lazy("comments and notes"),
    "properties": gettext_lazy("properties"),
    "masters": gettext_lazy("slide masters"),
    "hidden": gettext_lazy("hidden text"),
    "parts": gettext_lazy("text boxes, charts, links and names of things"),
    "rest": gettext_lazy("the text that was cut"),
}


def names_in_files(thing: Any, reader: Any) -> dict[str, str]:
    """Return name of a file -> a sentence on where it names its people, for those it names.

    Only people who may change the files may see it, because it quotes the names. Three queries.

    Args:
        reader: who writes; their name is looked for beside the owner's.
    """
    if not holder_of(thing).blind:
        return {}
    rows = thing.attachments.filter(removed_at__isnull=True).values_list("name", "sha256")
    names = list(rows)
    words = [word for person in people_of(thing, reader) for word in words_in_texts(person)]
    contents = {
        content.sha256: content
        for content in FileContent.objects.filter(sha256__in={sha256 for _name, sha256 in names})
    }
    found = {}
    for name, sha256 in names:
        if sha256 in contents and (sentence := _sentence(contents[sha256], words)):
            found[name] = sentence
    return found


def _sentence(content: FileContent, words: list[str]) -> str:
    held: dict[str, None] = {}  # words as they stand there
    places: dict[str, None] = {}
    for place, text in _texts(content):
        for word in find_words(text, words):
            held[word] = places[place] = None
    if not held:
        return ""
    return _(
        "It names whose it is: %(words)s (%(places)s). Readers must not learn who wrote it. Take "
        "the name out, unless it is somebody else's, and add the file again."
    ) % {
        "words": listed([f"“{word}”" for word in held][:_MOST_PLACES]),
        "places": listed(list(places)[:_MOST_PLACES]),
    }


def _texts(content: FileContent) -> Iterator[tuple[str, str]]:
    for section in content.parts:
        yield part_title(section) or _("text"), section.text
    for place, text in content.elsewhere:
        yield str(_PLACES.get(place, place)), text

"""The catalogues by themselves: complete, without guesses, and with every placeholder in place.

A catalogue may lag behind the code by a few strings; these tests look at the files only, so that a
new string never breaks the suite, but a broken translation always does.
"""

import io
import re
from collections import Counter
from pathlib import Path

import polib
import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.contrib import auth

CATALOGUES = sorted(Path(settings.BASE_DIR, "locale").glob("*/LC_MESSAGES/django.po"))
CHINESE = Path(settings.BASE_DIR, "locale/zh_Hans/LC_MESSAGES/django.po")

# %(name)s and {name} are filled in by Python, %%t (a doubled %) by the scripts of a page.
NAMED = re.compile(r"%\(\w+\)[a-z]|\{\w*\}")
SCRIPTED = re.compile(r"%%[a-z](?![A-Za-z])")
TAG = re.compile(r"</?[a-z][^>]*>")
HAN = r"[\u4e00-\u9fff]"
HALF_WIDTH = re.compile(rf"{HAN}[,;:?!()]|[,;:?!()]{HAN}|{HAN}\.(?:\s|$)")
NO_SPACE = re.compile(rf"{HAN}[A-Za-z0-9$]|[A-Za-z0-9%]{HAN}")


def faults(entry: polib.POEntry) -> list[str]:
    """What is wrong with one entry; empty for a sound one. The last form is the one for many."""
    forms = [entry.msgstr_plural[n] for n in sorted(entry.msgstr_plural)] or [entry.msgstr]
    found = ["fuzzy"] if "fuzzy" in entry.flags else []
    if not all(form.strip() for form in forms):
        return [*found, "empty"]
    original = entry.msgid_plural or entry.msgid
    for pattern, name in ((NAMED, "placeholders"), (SCRIPTED, "script marks"), (TAG, "tags")):
        if Counter(pattern.findall(original)) != Counter(pattern.findall(forms[-1])):
            found.append(name)
    if (original[0] == "\n", original[-1] == "\n") != (forms[-1][0] == "\n", forms[-1][-1] == "\n"):
        found.append("line breaks at the ends")
    return found


def shown(text: str) -> str:
    """A translation as a reader meets it, as far as the file can tell: no tags, no marks."""
    return NAMED.sub("", SCRIPTED.sub("", TAG.sub("", text))).replace("%%", "%")


def entry(msgid: str, msgstr: str, *flags: str) -> polib.POEntry:
    return polib.POEntry(msgid=msgid, msgstr=msgstr, flags=list(flags))


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_every_entry_is_translated_and_keeps_its_placeholders_and_tags(path: Path) -> None:
    catalogue = polib.pofile(str(path))
    wrong = {e.msgid: faults(e) for e in catalogue if not e.obsolete and faults(e)}
    assert len(catalogue) > (1000 if path == CHINESE else 0)
    assert wrong == {}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_a_catalogue_compiles_as_set_up_compiles_it(path: Path) -> None:
    with path.open("rb") as file:
        catalogue = read_po(file)
    assert [(m.id, errors) for m, errors in catalogue.check()] == []
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    assert compiled.tell() > (10_000 if path == CHINESE else 100)


def test_chinese_has_one_plural_form_and_its_own_punctuation() -> None:
    catalogue = polib.pofile(str(CHINESE))
    assert catalogue.metadata["Plural-Forms"] == "nplurals=1; plural=0;"
    texts = [text for e in catalogue for text in (e.msgstr_plural.values() or [e.msgstr])]
    assert [text for text in texts if HALF_WIDTH.search(shown(text))] == []
    # %d%% 以上 and the like: a percentage may stand right before a Chinese word.
    tight = [t for t in texts if NO_SPACE.search(re.sub(r"%(?=[\u4e00-\u9fff])", "% ", shown(t)))]
    assert tight == []
    assert [text for text in texts if "你" in text.replace("你们", "")] == []


def test_sentences_of_django_that_say_you_less_politely_are_said_here() -> None:
    """Their catalogue is Django's, so a new wording there would bring the old word back."""
    django_s = polib.pofile(
        str(Path(auth.__file__).parent / "locale/zh_Hans/LC_MESSAGES/django.po")
    )
    blunt = {
        entry.msgid
        for entry in django_s
        if any("你" in text for text in (entry.msgstr_plural.values() or [entry.msgstr]))
    }
    assert blunt - {entry.msgid for entry in polib.pofile(str(CHINESE))} == set()


def test_texts_are_marked_by_names_that_gettext_knows() -> None:
    """Texts marked by any other name are silently left out of every catalogue."""
    files = [
        path
        for app in ("config", "curation", "judge", "review", "rubrics")
        for path in Path(settings.BASE_DIR, app).rglob("*.py")
    ]
    renamed = re.compile(r"\bn?p?gettext\w* as (?!_\b)\w+")
    assert len(files) > 100
    assert [str(path) for path in files if renamed.search(path.read_text("utf-8"))] == []


def test_the_check_refuses_what_would_break_a_page() -> None:
    assert faults(entry("Saved", "已保存")) == []
    assert faults(entry("Saved", "已保存", "fuzzy")) == ["fuzzy"]
    assert faults(entry("Saved", " ")) == ["empty"]
    assert faults(entry("%(n)s of %(all)s", "%(n)s / %(al)s")) == ["placeholders"]
    assert faults(entry("Saved %%t", "已保存")) == ["script marks"]
    assert faults(entry("good at <b>ranking</b>", "擅长<b>排名")) == ["tags"]
    assert faults(entry("Hello,\n", "您好，")) == ["line breaks at the ends"]

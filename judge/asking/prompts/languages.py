"""The names of languages, as models are told them."""

_NAMES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "ja": "Japanese",
    "ko": "Korean",
    "pt": "Portuguese",
    "it": "Italian",
    "ru": "Russian",
}


def language_name(tag: str) -> str:
    """Return the name of a language by its tag; for one we do not know, that of the task."""
    return (
        "Simplified Chinese"
        if tag.lower().startswith("zh")
        else _NAMES.get(tag.lower().split("-")[0].split("_")[0], "the language of the task")
    )

"""When two lines, or two names, say the same."""


def key_of(text: str) -> str:
    """Return the words of a text without case and spacing, to look it up by.

    Two texts say the same if their keys are equal.
    """
    return " ".join(text.casefold().split())


def say_the_same(one: str, other: str) -> bool:
    """Return whether two texts differ in case and spacing at most."""
    return key_of(one) == key_of(other)

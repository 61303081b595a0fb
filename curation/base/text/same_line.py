"""Comparison of lines and names without regard to case and spacing."""


def key_of(text: str) -> str:
    """Return a look-up key: the text in folded case with single spaces."""
    return " ".join(text.casefold().split())


def say_the_same(one: str, other: str) -> bool:
    """Return whether two texts differ at most in case and spacing."""
    return key_of(one) == key_of(other)

"""A sentence that is planted where only some may read it."""


class Secret:
    """A planted string, and the only people who may read it."""

    def __init__(self, text: str, readers: set[str]) -> None:
        self.text, self.readers = text, readers

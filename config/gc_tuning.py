"""Garbage collector settings for long-lived processes."""

import gc


def freeze_startup_objects() -> None:
    """Exclude everything loaded so far from garbage collection.

    Code, models and templates are about 400,000 objects that live as long as the process. A full
    collection would visit each of them and stop all threads for a quarter of a second.
    """
    gc.collect()
    gc.freeze()

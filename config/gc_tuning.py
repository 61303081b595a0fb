"""What a long-lived process tells Python about its memory once it has started."""

import gc


def settle() -> None:
    """Take what has been loaded so far out of the garbage collector's sight.

    Code, models and templates are some 400,000 objects that live as long as the process. A full
    collection would look at each of them, a quarter of a second in which no thread goes on: a page
    that takes so much longer, or 64 calls of a judge that stand still.
    """
    gc.collect()
    gc.freeze()

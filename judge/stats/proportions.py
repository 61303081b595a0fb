"""A share of a count with its interval. No Django in here."""

from math import sqrt

Z95 = 1.959963984540054  # the 97.5 % point of the normal distribution


def wilson(hits: int, of: int, z: float = Z95) -> tuple[float, float] | None:
    """The score interval of a share (E. B. Wilson, 1927), from 0 to 1; None without any count.

    With p = hits / of:  (p + z²/2n ± z·sqrt(p(1−p)/n + z²/4n²)) / (1 + z²/n).
    It stays inside 0 and 1 and says something even where all or none hit.

    Raises:
        ValueError: more hits than the count, or a negative number.
    """
    if of == 0:
        return None
    if not 0 <= hits <= of:
        raise ValueError(f"{hits} of {of} is no share.")
    share, square = hits / of, z * z
    middle = share + square / (2 * of)
    half = z * sqrt(share * (1 - share) / of + square / (4 * of * of))
    low, high = (middle - half) / (1 + square / of), (middle + half) / (1 + square / of)
    # Exactly 0 and 1 at the ends, where rounding would leave a hair.
    return (0.0 if hits == 0 else low), (1.0 if hits == of else high)

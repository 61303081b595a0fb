"""The interval of a proportion."""

from math import sqrt

Z95 = 1.959963984540054  # the 97.5 % point of the normal distribution


def wilson(hits: int, of: int, z: float = Z95) -> tuple[float, float] | None:
    """Return the score interval of a proportion (E. B. Wilson, 1927); None if `of` is 0.

    With p = hits / of and n = of:  (p + z²/2n ± z·sqrt(p(1−p)/n + z²/4n²)) / (1 + z²/n).
    It stays between 0 and 1 and has a width even if all or none hit.

    Raises:
        ValueError: there are more hits than `of`, or a number is negative.
    """
    if of == 0:
        return None
    if not 0 <= hits <= of:
        raise ValueError(f"{hits} of {of} is no share.")
    share, square = hits / of, z * z
    middle = share + square / (2 * of)
    half = z * sqrt(share * (1 - share) / of + square / (4 * of * of))
    low, high = (middle - half) / (1 + square / of), (middle + half) / (1 + square / of)
    # Exactly 0 and 1 at the ends, without rounding errors.
    return (0.0 if hits == 0 else low), (1.0 if hits == of else high)

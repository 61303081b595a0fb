"""Amounts of money in words."""

from decimal import Decimal
from fractions import Fraction


def dollars(value: Fraction | Decimal | float) -> str:
    """Format dollars with cents, or with two digits where that would be 0: “$0.0031”."""
    number = float(value)
    if number and abs(number) < 0.1:
        return f"${number:.2g}" if number >= 1e-4 else f"${number:.1e}"
    return f"${number:,.2f}"

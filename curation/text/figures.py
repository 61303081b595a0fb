"""Numbers as people read them."""

from django.utils.translation import get_language


def decimal(value: float | None, places: int = 2) -> str:
    """A number with at most two decimals and a real minus sign. Without a value: a dash."""
    if value is None:
        return "–"
    text = f"{float(value):,.{min(int(places), 2)}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.replace("-", "")


def percent(share: float | None, places: int = 0) -> str:
    """A share (0 to 1) as percent, in English with a no-break space: 98.4 %, 100 %.

    No decimals where they are zero; a dash without a value.
    """
    gap = "" if (get_language() or "").startswith("zh") else "\u00a0"
    if share is None:
        return "–"
    whole, _dot, rest = decimal(100 * float(share), places).partition(".")
    return f"{whole}.{rest}{gap}%" if rest.strip("0") else f"{whole}{gap}%"

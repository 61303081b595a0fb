"""Numbers formatted for people."""

from django.utils.translation import get_language


def decimal(value: float | None, places: int = 2) -> str:
    """Format a number with at most two decimals and a real minus sign; None as a dash."""
    if value is None:
        return "–"
    text = f"{float(value):,.{min(int(places), 2)}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.replace("-", "")


def percent(share: float | None, places: int = 0) -> str:
    """Format a share (0 to 1) as percent, in English with a no-break space: 98.4 %, 100 %.

    Decimals that are all zero are dropped; None is a dash.
    """
    gap = "" if (get_language() or "").startswith("zh") else "\u00a0"
    if share is None:
        return "–"
    whole, _dot, rest = decimal(100 * float(share), places).partition(".")
    return f"{whole}.{rest}{gap}%" if rest.strip("0") else f"{whole}{gap}%"

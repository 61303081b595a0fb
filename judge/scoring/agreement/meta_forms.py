"""The form of a senior's check of an anchor."""

from collections.abc import Mapping


def read_check(sent: Mapping[str, str], lines: list[int]) -> dict[str, str]:
    """Return the fields of a check for these lines: agrees-ID, remark-ID and remarks.

    agrees-ID is "true", "false", or the verdict that counts instead, "met" or "unmet"; any other
    value becomes "".
    """
    names = [f"{name}-{pk}" for pk in lines for name in ("agrees", "remark")] + ["remarks"]
    read = {name: sent.get(name, "").replace("\r\n", "\n") for name in names}
    for pk in lines:
        if read[f"agrees-{pk}"] not in ("true", "false", "met", "unmet"):
            read[f"agrees-{pk}"] = ""
    return read

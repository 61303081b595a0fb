"""A senior's check of an anchor, as it is sent."""

from collections.abc import Mapping


def read_check(sent: Mapping[str, str], lines: list[int]) -> dict[str, str]:
    """What a senior chose and typed: agrees-ID, remark-ID and remarks, of these lines only.

    agrees-ID is "true" or "false"; or "met" or "unmet", the verdict that counts instead.
    """
    names = [f"{name}-{pk}" for pk in lines for name in ("agrees", "remark")] + ["remarks"]
    read = {name: sent.get(name, "").replace("\r\n", "\n") for name in names}
    for pk in lines:
        if read[f"agrees-{pk}"] not in ("true", "false", "met", "unmet"):
            read[f"agrees-{pk}"] = ""
    return read

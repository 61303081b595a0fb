"""Which house a model comes from, read from its name."""

import re

# Order matters where one house serves another's weights: the weights decide, not the host.
_HOUSES = (
    ("anthropic", r"claude"),
    ("openai", r"gpt|chatgpt|codex|davinci|(?<![a-z0-9])o[134](?![0-9a-z])"),
    ("google", r"gemini|gemma|palm"),
    ("deepseek", r"deepseek"),
    ("alibaba", r"qwen|qwq|tongyi"),
    ("meta", r"llama"),
    ("mistral", r"mistral|mixtral|magistral|codestral"),
    ("xai", r"grok"),
    ("moonshot", r"kimi|moonshot"),
    ("zhipu", r"glm"),
    ("bytedance", r"doubao|seed-?\d"),
    ("baidu", r"ernie"),
    ("tencent", r"hunyuan"),
    ("minimax", r"minimax|abab"),
    ("cohere", r"command-|cohere"),
    ("amazon", r"nova-|titan-"),
    ("microsoft", r"(?<![a-z])phi-?\d"),
)
_PATTERNS = tuple((house, re.compile(pattern)) for house, pattern in _HOUSES)


def family_of(model: str, default: str) -> str:
    """The house of `model`, or `default` where the name does not tell."""
    name = model.lower()
    for house, pattern in _PATTERNS:
        if pattern.search(name):
            return house
    return default

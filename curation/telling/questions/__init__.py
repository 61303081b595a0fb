"""Questions that experts ask about tasks, lines and rules, and the answers."""

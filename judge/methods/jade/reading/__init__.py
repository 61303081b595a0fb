"""Readers of replies: the checklist of a response, verifications, answers. Pure."""

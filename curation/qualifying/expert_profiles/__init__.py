"""Profiles of experts that staff enter, checks of certificates, and the panel in numbers."""

"""Announcements of staff, which people see on Home until they have read them."""

"""JADE: skills, claims and evidence. So far its pure scoring."""

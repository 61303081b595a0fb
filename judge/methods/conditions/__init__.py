"""A selection of profiles: each recommended profile against the conditions of the rubric."""

"""The statistics of judges and agreement, without Django, pandas or a model.

Point estimates are exact fractions; intervals are pairs of floats. An undefined statistic is
None, and the report's `why` has the reason. No result depends on the order of the input.
"""
